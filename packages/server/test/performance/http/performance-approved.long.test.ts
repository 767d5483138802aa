import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { approve, at, finished, prepare, service } from "../../support/approved-results.js";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { performanceOf, untilVersions } from "../../support/measuring.js";

beforeAll(prepare);

describe("an approved result", () => {
  test("is shown as it was approved on a stream, too, in a process that starts after the correction", async () => {
    const { id, correct } = await finished();
    const before = await openStream(service.url, `/dispatches/${id}/performance/stream`);
    await before.next();
    await approve(id, 1);
    await correct(90);
    await untilVersions(service, id, 3);
    const after = await openStream(await service.another(), `/dispatches/${id}/performance/stream`);
    expect((await after.next())?.data).toMatchObject({ version: 2, sites: [{ mean_reduction_kw: 40 }] });
    for (const stream of [before, after]) stream.close();
  });

  test("may be approved again with what came later", async () => {
    const { id, correct } = await finished();
    await approve(id, 1);
    await correct(80);
    await untilVersions(service, id, 3);
    expect((await approve(id, 3, "meter was wrong")).body.versions.at(-1)).toMatchObject({ version: 4 });
    expect(await performanceOf(service, id)).toMatchObject({ version: 4, sites: [{ mean_reduction_kw: 20 }] });
  });

  test("is withdrawn if the dispatch is voided", async () => {
    const { id } = await finished();
    await approve(id, 1);
    await service.made(operator.changeDispatch, {
      params: { id },
      body: { authorized: false, void_reason: "a mistake" },
    });
    expect(await performanceOf(service, id)).toMatchObject({ version: 3, sites: [] });
    expectError(await approve(id, 3), 400, /voided/);
  });
});

test("after the program's cut-off, corrections stand beside the result", async () => {
  const { id, correct } = await finished({ corrections_days: 7 });
  await correct(70);
  await untilVersions(service, id, 2);
  expect(await performanceOf(service, id)).toMatchObject({ version: 2, sites: [{ mean_reduction_kw: 30 }] });
  at("2026-06-17T19:00:01Z");
  await correct(80);
  await untilVersions(service, id, 3);
  const { version, versions, sites } = await performanceOf(service, id);
  expect([version, sites[0].mean_reduction_kw]).toEqual([2, 30]);
  expect(versions.map(({ standing }: { standing: string }) => standing)).toEqual(["superseded", "standing", "beside"]);
});
