// Answers one question in a thread of its own: the library takes 40 MB and half a second, which the service does not keep.
import { parentPort, workerData } from "node:worker_threads";
import { type Ask, answerTo } from "./ask.js";

parentPort?.on("message", () => parentPort?.postMessage({ value: answerTo(workerData as Ask) }, []));
