/**
 * Replies written straight to node's response: no Request, Response or Headers is made for what needs none, and the code that
 * makes them is loaded by the first request that does (the MCP door, targets that are no path).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { askOf, isForMcp, type Doors } from './doors.ts';
import type { Reply } from './reply.ts';

/** What node's server calls with every request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A listener that says when it is done, or that it failed. */
export type PromisedListener = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** What answers: the doors, and what they say where something else fails. */
export interface Answering {
  doors: Doors;
  failed(error: unknown): Reply;
}

/** The listener of a server: the doors, and `otherwise` for requests they cannot take. It never throws and never rejects. */
export function directListener(
  { doors, failed }: Answering,
  otherwise: () => Promise<PromisedListener>,
): Listener {
  return (request, response) => {
    const fail = (error: unknown): void => {
      if (response.headersSent) response.destroy();
      else write(response, failed(error));
    };
    const { method = 'GET', url = '/', headers } = request;
    if (!url.startsWith('/') || isForMcp(url)) {
      otherwise()
        .then((listener) => listener(request, response))
        .catch(fail);
      return;
    }
    const send = (reply: Reply): void => {
      try {
        write(response, reply);
      } catch (error) {
        fail(error);
      }
    };
    const reply = doors(askOf(method, url, (name) => headers[name]?.toString() ?? null));
    if (reply instanceof Promise) void reply.then(send);
    else send(reply);
  };
}

function write(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers as string[]);
  if (body instanceof ReadableStream)
    // A stream that breaks ends the connection: the reader sees that the body is short.
    pipeline(Readable.fromWeb(body as NodeReadableStream), response, () => undefined);
  else if (body === null) response.end();
  else response.end(body);
}
