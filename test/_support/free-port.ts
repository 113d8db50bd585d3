/** A port nobody listens on. */
import { createServer, type AddressInfo } from 'node:net';

/** A free port on loopback. */
export async function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}
