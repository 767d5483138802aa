import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { beforeAll, expect, test } from "vitest";
import { PERSONAL_NOTICES } from "../../../src/notification/followers/personal-notices.js";
import { caughtUp } from "../../support/caught-up.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { type KillPoint, killedAt, killPoints } from "../../support/killing-followers.js";
import { choose } from "../../support/noticing.js";
import { newBrowser } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let inbox: Mailbox;
let service: Running;
beforeAll(async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example` });
  await service.another();
});

const DISPATCHES = 12;

const noticesOf = async (accountId: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query<{ dispatch_id: string }>(
    "select dispatch_id from personal_notices where account_id = $1 order by dispatch_id",
    [accountId],
  );
  return rows.map((row) => row.dispatch_id);
};

test.for(["in its effect", ...Object.keys(killPoints)] as ReadonlyArray<KillPoint | "in its effect">)(
  "a person is notified once of each dispatch, if processes are killed %s",
  { timeout: 60_000 },
  async (point) => {
    const participant = await service.newParticipant();
    const person = await newBrowser(service, "participant-viewer", participant.accountId);
    await choose(person, { dispatches: { mail: true, push: false } });
    const program = await newProgram(service, [participant]);
    const dispatched: string[] = [];
    const place = point === "in its effect" ? { effectOn: "personal_notices" } : point;
    await killedAt(service.database, place, async () => {
      for (let number = 0; number < DISPATCHES; number++) dispatched.push((await newDispatch(service, program)).id);
      await expect.poll(async () => (await noticesOf(participant.accountId)).length).toBeGreaterThan(0);
    });
    await expect
      .poll(async () => {
        service.clock.advance({ seconds: 1 });
        await caughtUp(service.database.pool, PERSONAL_NOTICES);
        return noticesOf(participant.accountId);
      })
      .toEqual(dispatched.toSorted());
  },
);
