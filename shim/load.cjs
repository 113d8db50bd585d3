'use strict';
/**
 * The file that node is started with, `main.cjs` of the built server: runs the scripts next to it. server.js has all code up to a
 * first answer, later.js the rest, which is read when a part of it is first needed. What node compiled of server.js when it was
 * built (code-cache) is taken where it is whole and made of the same code; another version of node ignores it.
 */
const { hash } = require('node:crypto');
const { openSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

/** Opened at once: another build may replace the file before it is read. */
const later = openSync(join(__dirname, 'later.js'));
const first = run('server.js', join(__dirname, 'server.js'), 'code-cache');
let second;
exports.run = first.run;
exports.runServer = first.runServer;
exports.startServer = first.startServer;
if (require.main === module) exports.run(process.argv.slice(2), process.env);

/** What a script requires: a module that the other one has, or one of node. */
function required(name) {
  if (!name.startsWith('part:')) return require(name);
  const path = name.slice('part:'.length);
  return first.part(path) ?? (second ??= run('later.js', later)).part(path);
}

function run(name, file, cache) {
  const filename = join(__dirname, name);
  const source = readFileSync(file, 'latin1');
  const script = new Script(source, { filename, cachedData: cache && compiled(cache, source) });
  // The build keeps what is compiled of it.
  exports.script ??= script;
  const loaded = { exports: {} };
  script.runInThisContext()(loaded.exports, required, loaded, filename);
  return loaded.exports;
}

function compiled(cache, source) {
  let file;
  try {
    file = readFileSync(join(__dirname, cache));
  } catch {
    return undefined;
  }
  const data = file.subarray(128);
  const seal = source.slice(-64) + hash('sha256', data);
  return file.latin1Slice(0, 128) === seal ? data : undefined;
}
