// `npm run demo`: makes the checkout ready, then runs the demo in this process, so that a signal to npm reaches it.
import { makeReady, THE_SERVICE } from "./make-ready.mjs";

makeReady([...THE_SERVICE, "demo"]);
await import("../demo/dist/demo.js");
