// Makes the installed programs ready where they are: what runs later, as in a container, may not be able to change them.
import { prepareBinaries } from "./binaries.js";

const log = { info: () => {}, warn: () => {}, error: () => {} };
const { copy } = await prepareBinaries({ identity: null, log });
if (copy !== null)
  throw new Error(`The programs of PostgreSQL cannot be used where they are installed, only in ${copy}.`);
