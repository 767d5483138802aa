import { deleteWebhook, listDispatches, listSites, listWebhooks, operator } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import { receiver } from "@curtail/testing/receiver";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { Numbers, previousCall } from "../support/both-versions.js";
import { ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { httpClient, type Send } from "../support/http-client.js";
import { loadedFrom } from "../support/loaded-database.js";
import { type Participant, type Running, running } from "../support/running.js";

const EARLIER = {
  CURTAIL_EARLIER_VERSIONS: "2020-12-30",
  // The loaded database is opened with it, too.
  CURTAIL_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
};
const RUNS = propertyRuns(8, { atMost: 60 });

const steps = [
  "site",
  "meter",
  "dispatch",
  "cancel",
  "webhook",
  "unhook",
  "unknown",
  "other process",
  "ask",
  "ask",
] as const;
type Step = (typeof steps)[number];

let service: Running;
let hook: string;

beforeAll(async () => {
  service = await running(EARLIER);
  hook = (await receiver()).url;
});

/** Compares every list of the versions. */
const ask = async (participant: Participant, previous: Send, numbers: Numbers): Promise<void> => {
  numbers.compare((await participant.call(listSites)).body, (await previous("GET", "/facilities")).body);
  numbers.compare((await participant.call(listDispatches)).body, (await previous("GET", "/dispatches")).body);
  numbers.compare((await participant.call(listWebhooks)).body, (await previous("GET", "/webhooks")).body);
};

class World {
  readonly numbers = new Numbers();
  private dispatches: string[] = [];
  private previous: Send;

  constructor(
    private readonly participant: Participant,
    private readonly program: string,
  ) {
    this.previous = previousCall(service.url, participant.key);
  }

  async take(step: Step): Promise<void> {
    const { participant, program, dispatches } = this;
    switch (step) {
      case "site": {
        const body = { name: `Site ${Math.random()}`, meters: [{ name: "main" }] };
        const { id } = await service.made(operator.createSite, { params: { id: participant.accountId }, body });
        await service.made(operator.enrolSite, { params: { id: program, site_id: id }, body: { commitment: 5 } });
        return;
      }
      case "meter": {
        const [site] = (await participant.call(listSites)).body.sites;
        const body = { name: `Meter ${Math.random()}` };
        await service.made(operator.createMeter, { params: { id: site?.id ?? "" }, body });
        return;
      }
      case "dispatch":
        dispatches.push((await newDispatch(service, program)).id);
        return;
      case "cancel": {
        const id = dispatches.pop();
        if (id !== undefined)
          await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
        return;
      }
      case "webhook":
        await this.previous("POST", "/webhooks", { url: hook, events: [{ name: "dispatch.update" }] });
        return;
      case "unhook": {
        const [webhook] = (await participant.call(listWebhooks)).body.webhooks;
        if (webhook !== undefined) await participant.call(deleteWebhook, { params: { id: webhook.id } });
        return;
      }
      case "other process":
        this.previous = previousCall(await service.another(), participant.key);
        return;
      case "unknown":
        await this.unknown();
        return;
      default:
        await ask(participant, this.previous, this.numbers);
    }
  }

  /** Numbers that nobody has, which must stay unknown and give nothing a number. */
  private async unknown(): Promise<void> {
    const { status } = await this.previous("GET", "/dispatches/2147483647");
    expect(status).toBe(404);
  }
}

test("whatever is added and removed, an id has one number and a number one id, in every process", {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 4, maxLength: 25 }), async (taken) => {
      const participant = await service.newParticipant();
      const world = new World(participant, await newProgram(service, [participant], { name: `Peak ${Math.random()}` }));
      for (const step of [...taken, "ask"] as const) await world.take(step);
    }),
    { numRuns: RUNS },
  );
});

test("a number means the same after the database was dumped and loaded, and new ones are new", async () => {
  const anna = await service.newParticipant({ sites: [["main", "solar"], ["main"]] });
  const program = await newProgram(service, [anna], { name: "Peak of Anna" });
  await newDispatch(service, program, { start_time: ahead(service, { hours: 3 }) });
  const numbers = new Numbers();
  await ask(anna, previousCall(service.url, anna.key), numbers);
  const restored = await running(EARLIER, {
    database: await loadedFrom(service.database),
    startsAt: service.clock.now(),
  });
  const call = httpClient(`${restored.url}/2022-04-15`, { "x-service-api-key": anna.key });
  await ask({ ...anna, call }, previousCall(restored.url, anna.key), numbers);
  const body = { name: "New", meters: [{ name: "main" }] };
  await restored.made(operator.createSite, { params: { id: anna.accountId }, body });
  await ask({ ...anna, call }, previousCall(restored.url, anna.key), numbers);
});
