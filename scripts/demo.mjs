// `npm run demo`: makes the checkout ready, then is the demo itself, so that a signal to npm reaches it.
await import("./ready.mjs");
await import("../demo/dist/demo.js");
