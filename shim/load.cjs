'use strict';
/**
 * The file that node is started with, `main.cjs` of the built server: runs the scripts next to it. server.js has all code up to a
 * first answer, later.js the rest, which is read when a part of it is first needed. What node compiled of them when they were built
 * (the file of the script with .cache behind) is taken where it is whole and made of the same code; another version of node ignores it.
 */
const { hash } = require('node:crypto');
const { openSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

/** Opened at once: another build may replace the file before it is read. */
const later = openSync(join(__dirname, 'later.js'));
/** For the build, which keeps what is compiled of them. */
exports.scripts = {};
const first = run('server.js', join(__dirname, 'server.js'));
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

function run(name, file) {
  const filename = join(__dirname, name);
  const source = readFileSync(file, 'utf8');
  const script = new Script(source, { filename, cachedData: compiled(name, source.slice(-64)) });
  exports.scripts[name] = script;
  const loaded = { exports: {} };
  script.runInThisContext()(loaded.exports, required, loaded, filename);
  return loaded.exports;
}

/** What was compiled of the script with this hash. Before it are that hash and its own. */
function compiled(name, id) {
  let file;
  try {
    file = readFileSync(join(__dirname, `${name}.cache`));
  } catch {
    return undefined;
  }
  const data = file.subarray(128);
  return file.latin1Slice(0, 128) === id + hash('sha256', data) ? data : undefined;
}
