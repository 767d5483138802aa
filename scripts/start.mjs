// `npm start`: makes the checkout ready, then is the service itself, so that a signal to it reaches the service.
await import("./ready.mjs");
process.argv.splice(2, 0, "serve");
await import("../packages/server/curtail.mjs");
