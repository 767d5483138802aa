// `npm run demo`: makes the checkout ready, then runs the demo in this process, so that a signal to npm reaches it.
await import("./ready.mjs");
await import("../demo/dist/demo.js");
