/**
 * /embed/: one figure of the explorer as a page that any other may frame, with the API's own status where its query is refused; and
 * /oembed, which tells programs the frame of an address of this site as oEmbed 1.0 says (oembed.com), in JSON. Unknown
 * parameters of oEmbed are ignored, because programs also send those of other providers.
 */
import type { Report } from '../core/call.ts';
import { explore } from '../core/explore.ts';
import type { Exploration } from '../core/explore-answer.ts';
import { FIGURE_VIEWS } from '../core/explore-query.ts';
import { Fault, FAULTS, invalidParameter, quoted } from '../core/faults.ts';
import { EMBED_POLICY, headerList, NOT_INDEXED } from '../core/headers.ts';
import { urlOf } from '../core/hosts.ts';
import { absolute } from '../core/paths.ts';
import type { Steps } from '../core/steps.ts';
import type { Context } from '../core/types.ts';
import { embedAddress, exploreAddress } from '../view/address.ts';
import type { WorldShapes } from '../view/chart/world.ts';
import { embedOf, printEmbed } from '../view/embed.ts';
import { embedSnippet, frameSize, type FrameSize } from '../view/embed-snippet.ts';
import { needsWorld } from '../view/explore.ts';
import { embedded } from '../view/explore-link.ts';
import { exploreTitle } from '../view/explore-title.ts';
import { NAME } from '../view/frame.ts';
import { p } from '../view/node.ts';
import { errorReply, inLaterTurns, JSON_TYPE, retrying, type Replies } from './content.ts';
import { worldOf } from './explore.ts';
import { SHARED_LIST } from './failures.ts';
import { answered, dataOf, HTML, type Made } from './page-reply.ts';

/** Names of the explorer's own that a figure has no use for. */
const NOT_OF_FIGURES = ['sort', 'find', 'form', 'answer'];

/** Makes the replies to requests for figures and for what embeds them, which throw what is not expected. */
export function embedReplies(context: Context, report: Report): Replies {
  return (request) => {
    if (request.pathname === `/${embedAddress({})}`)
      return answered(request, context, (now) => inLaterTurns(request, page(request.search, now, report)));
    const asked = new URLSearchParams(request.search);
    const format = asked.get('format') ?? 'json';
    if (format !== 'json') {
      const fault = new Fault('invalid_request', `There is no format ${quoted(format)} here, only json.`);
      const { cache } = FAULTS[fault.code];
      return errorReply(fault, request, SHARED_LIST, undefined, { status: 501, cache });
    }
    return answered(request, context, (now) => description(asked, now, report));
  };
}

/** The page of a figure. All is read at once; while it is drawn and printed, other requests have their turns. */
function page(search: string, context: Context, report: Report): Steps<Made> {
  const { model, world } = figureOf(search, context, report);
  return printed(model, world, search, context.settings.siteUrl);
}

function* printed(
  model: Exploration,
  world: WorldShapes | null,
  search: string,
  siteUrl: string,
): Steps<Made> {
  const { query, fault, answer } = model;
  const embed = embedOf(model, siteUrl, world);
  yield;
  const other = [...new URLSearchParams(search).keys()].find((name) => NOT_OF_FIGURES.includes(name));
  const why = other === undefined ? null : p(`The parameter ${quoted(other)} is of the explorer alone.`);
  const code = why || query.refused ? 'invalid_request' : (fault?.code ?? null);
  return {
    text: yield* printEmbed(model, why ? { why } : embed, { siteUrl, generatedAt: null }),
    mediaType: HTML,
    fault: code,
    status: code === null ? 200 : FAULTS[code].status,
    whole: answer?.status !== 'partial',
    headers: [
      ...retrying(why ? null : fault),
      'content-security-policy',
      EMBED_POLICY,
      ...headerList(NOT_INDEXED),
    ],
  };
}

/** What a figure is drawn of. */
function figureOf(
  search: string,
  context: Context,
  report: Report,
): { model: Exploration; world: WorldShapes | null } {
  const model = explore(search, context, report, FIGURE_VIEWS);
  return { model, world: needsWorld(model) ? worldOf(context.release) : null };
}

/** The response of oEmbed. Throws not_found for an address that has no figure. */
function description(asked: URLSearchParams, context: Context, report: Report): Made {
  const { siteUrl } = context.settings;
  const site = absolute(siteUrl, '');
  const most = { ...boundOf('width', asked), ...boundOf('height', asked) };
  const { model, world } = figureOf(queryOf(asked, site), context, report);
  const embed = embedOf(model, siteUrl, world);
  const { fault } = model;
  if (fault && FAULTS[fault.code].status >= 500) throw new Fault(fault.code, fault.message, fault);
  if (!('figure' in embed))
    throw new Fault('not_found', `This address has no figure to embed: ${site}${embedded(model)} says why.`);
  const title = exploreTitle(model);
  const size = frameSize(model, most);
  const html = embedSnippet(model, title, site, size);
  const about = { version: '1.0', type: 'rich', provider_name: NAME, provider_url: site };
  const text = JSON.stringify({ ...about, title, html, ...size });
  return dataOf(text, JSON_TYPE, model.answer?.status !== 'partial');
}

function boundOf(side: keyof FrameSize, asked: URLSearchParams): Partial<FrameSize> {
  const name = `max${side}`;
  const given = asked.get(name);
  if (given === null) return {};
  if (!/^[1-9]\d*$/.test(given)) throw invalidParameter(name, given, 'a number of pixels, from 1');
  return { [side]: Number(given) };
}

/** The query of the address that is asked about, which is that of a figure or of the explorer here. */
function queryOf(asked: URLSearchParams, site: string): string {
  const given = asked.get('url');
  if (given === null || given === '') throw invalidParameter('url', given ?? '', 'an address of this site');
  const url = urlOf(given);
  const known = [exploreAddress({}), embedAddress({})].map((path) => new URL(path, site).href);
  if (!url || !known.includes(`${url.origin}${url.pathname}`))
    throw new Fault('not_found', `This is not an address of a figure: see ${known[0]}.`);
  return url.search;
}
