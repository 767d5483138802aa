import { fileURLToPath } from "node:url";
import { startCounted } from "./counted-process.js";
import { type CountedService, POLLS, UPLOADS } from "./counted-service.js";
import { KeptConnection, partsOf } from "./kept-connection.js";
import { type Counted, times } from "./measure.js";

const floor = fileURLToPath(new URL("floor.mjs", import.meta.url));
/** A bare server that answers and reads the bytes of the service. */
export const startCountedFloor = async (service: CountedService): Promise<Counted> => {
  const { poll, upload, answers } = service;
  const given = { GET: partsOf(answers.poll), POST: partsOf(answers.upload) };
  const process = await startCounted([floor, JSON.stringify(given)], { ready: "ready" });
  const connection = new KeptConnection(process.lines[0] ?? "");
  await process.begin();
  const asked = (request: string) => async () => void (await connection.ask(request));
  return {
    process,
    work: {
      poll: { items: POLLS, run: () => times(POLLS, asked(poll)) },
      upload: { items: UPLOADS, run: () => times(UPLOADS, asked(upload)) },
    },
  };
};
