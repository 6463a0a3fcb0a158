import { loadConfig } from '../src/process/config.ts';
import { keyFile, readKey } from './stack/running.ts';

/** `npm run key`: the sandbox key of `npm start` alone, so that a shell can take it: `KEY=$(npm run -s key)`. */
const { DATA_DIR } = loadConfig();
const key = readKey(keyFile(DATA_DIR));
if (key === null) {
  console.error(`There is no sandbox key in ${DATA_DIR}: \`npm start\` makes one.`);
  process.exitCode = 1;
} else {
  console.log(key);
}
