# The service with its data built in. Pages print SITE_URL, so it is set when the image is built:
#   docker build --build-arg SITE_URL=https://evidence.example -t evidence .
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
ARG SITE_URL=http://localhost:3000
# A signing key is optional: docker build --secret id=signing_key,src=evidence.key
RUN --mount=type=secret,id=signing_key \
    SIGNING_KEY="$(cat /run/secrets/signing_key 2>/dev/null || true)" SITE_URL="$SITE_URL" \
    node build/run.mjs start --build-only

FROM node:24-slim
WORKDIR /app
COPY --from=build /app/public public
COPY --from=build /app/.build/server .build/server
COPY --from=build /app/.build/twins .build/twins
ARG SITE_URL=http://localhost:3000
ENV NODE_ENV=production SITE_URL=$SITE_URL HOST=0.0.0.0 PORT=3000
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=10s --start-period=20s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", ".build/server/main.cjs"]
