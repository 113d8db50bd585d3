'use strict';
/**
 * The file that node is started with, `main.cjs` of the built server: runs the code next to it. What node compiled of that code
 * when it was built (code-cache) is taken where it is whole and made of the same code; another version of node ignores it.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const filename = join(__dirname, 'server.js');
const source = readFileSync(filename, 'latin1');
const loaded = { exports: {} };
new Script(source, { filename, cachedData: compiled() }).runInThisContext()(
  loaded.exports,
  require,
  loaded,
  filename,
);
exports.run = loaded.exports.run;
exports.runServer = loaded.exports.runServer;
if (require.main === module) exports.run(process.argv.slice(2), process.env);

function compiled() {
  let file;
  try {
    file = readFileSync(join(__dirname, 'code-cache'));
  } catch {
    return undefined;
  }
  const data = file.subarray(128);
  const seal = source.slice(-64) + createHash('sha256').update(data).digest('hex');
  return file.latin1Slice(0, 128) === seal ? data : undefined;
}
