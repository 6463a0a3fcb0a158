/*
 * Loaded by `node --import` before a program. An older Node knows no types, so it would fail at the program's
 * file with a stack. This file is JavaScript that every Node reads.
 */
const needed = 24;

if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(
    `This needs Node ${needed} or newer, and ${process.execPath} is Node ${process.versions.node}. ` +
      '`npm ci` installs one for the scripts of package.json; `npx node <file>` runs a file with it. ' +
      'An installation with --omit=dev or --ignore-scripts has none and uses yours.\n',
  );
  process.exit(1);
}
