/** A healthy client in a thread of its own: one small request after the other, on a new connection and on a kept one in turn. */
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const PATHS = [workerData.query, '/api/v1/capabilities', '/healthz', '/llms.txt'];
const PAUSE_MS = 20;
const TIMEOUT_MS = 10_000;
const kept = new Agent({ keepAlive: true, maxSockets: 1 });

let seen = { requests: 0, worst: 0, failed: [] };

function ask(path, agent) {
  return new Promise((done) => {
    const began = performance.now();
    const end = (problem) => {
      seen.requests += 1;
      seen.worst = Math.max(seen.worst, performance.now() - began);
      if (problem !== null) seen.failed.push(`${path}: ${problem}`);
      done();
    };
    const request = get({ port: workerData.port, host: '127.0.0.1', path, agent, timeout: TIMEOUT_MS });
    request.on('timeout', () => request.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    request.on('error', (error) => {
      // A kept connection may be closed at the moment it is used again: clients repeat a GET then.
      if (request.reusedSocket && error.code === 'ECONNRESET') done();
      else end(error.message);
    });
    request.on('response', (response) => {
      response.on('error', (error) => end(error.message));
      response.on('end', () => end(response.statusCode === 200 ? null : `status ${response.statusCode}`));
      response.resume();
    });
  });
}

parentPort.on('message', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort.postMessage(seen);
  seen = { requests: 0, worst: 0, failed: [] };
});

for (let turn = 0; ; turn += 1) {
  await ask(PATHS[turn % PATHS.length], turn % 2 === 0 ? false : kept);
  await new Promise((next) => setTimeout(next, PAUSE_MS));
}
