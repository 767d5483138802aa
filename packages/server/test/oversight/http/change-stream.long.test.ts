import { beforeAll, test } from "vitest";
import { annaProgram, begun, PATH, prepare, service, until } from "../../support/change-streams.js";
import { newDispatch } from "../../support/dispatching.js";
import { openStream } from "../../support/event-stream.js";

beforeAll(prepare);

test("what changed while the database did not answer is told of when it does again", async () => {
  const stream = await begun(openStream(service.url, PATH));
  await service.database.cutOff();
  await service.database.letIn();
  const { id } = await newDispatch(service, annaProgram);
  await until(stream, "dispatch", { id });
  stream.close();
});
