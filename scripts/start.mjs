// `npm start`: makes the checkout ready, then runs the service in this process. Together with the `exec` of the npm
// script, this lets a signal to npm reach the service instead of a shell in between.
import { makeReady, THE_SERVICE } from "./make-ready.mjs";

makeReady(THE_SERVICE);
process.argv.splice(2, 0, "serve");
await import("../packages/server/curtail.mjs");
