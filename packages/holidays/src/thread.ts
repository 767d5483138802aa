// Answers questions in a thread: the library takes 40 MB and half a second, which the service does not keep for long.
import { parentPort } from "node:worker_threads";
import { type Ask, answerTo } from "./ask.js";

let asked: Ask = "names";
parentPort?.on("message", (message: { readonly data: Ask } | null) => {
  if (message === null) parentPort?.postMessage({ value: answerTo(asked) }, []);
  else asked = message.data;
});
