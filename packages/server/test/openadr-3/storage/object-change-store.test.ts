import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { CHANGE_CHANNEL } from "../../../src/openadr-3/storage/object-change-store.js";
import { runningVtn } from "../../support/openadr-3.js";
import { objectsOf } from "../../support/openadr3-objects.js";

test("changes notify listeners of the database when they are committed, and only then", async () => {
  const vtn = await runningVtn();
  const bl = await vtn.bl();
  // The service makes programs of its own when it starts.
  await expect.poll(() => objectsOf(vtn, "PROGRAM")).not.toEqual([]);
  const listener = new pg.Client(vtn.database.connection);
  await listener.connect();
  onTestFinished(() => listener.end());
  const heard = vi.fn();
  listener.on("notification", heard);
  await listener.query(`listen ${CHANGE_CHANNEL}`);
  await bl.programs.made({ programName: "Program" });
  await expect.poll(() => heard.mock.calls.length).toBe(1);
  expect(await bl.programs.create({ programName: "Program" })).toMatchObject({ status: 409 });
  await bl.programs.made({ programName: "Another" });
  await expect.poll(() => heard.mock.calls.length).toBe(2);
});
