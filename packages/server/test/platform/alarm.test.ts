import { describe, expect, test } from "vitest";
import { type Alarm, acknowledged, type Condition, reconcile } from "../../src/platform/alarm.js";

const now = new Date("2026-07-01T18:00:00Z");
const earlier = new Date("2026-07-01T17:00:00Z");

const condition = (subject: string, of: Partial<Condition> = {}): Condition => ({
  kind: "notice_undelivered",
  subject,
  accountId: null,
  message: "as it is now",
  ...of,
});

const alarm = (subject: string, of: Partial<Alarm> = {}): Alarm => ({
  ...condition(subject, { message: "as it was" }),
  id: `alm_${subject}`,
  raisedAt: earlier,
  acknowledgedAt: null,
  note: null,
  clearedAt: null,
  ...of,
});

describe("a judgement", () => {
  test("raises new findings, and clears alarms whose finding is gone", () => {
    const found = [condition("dis_1"), condition("dis_2")];
    const standing = [alarm("dis_2"), alarm("dis_3")];
    expect(reconcile(standing, found)).toEqual({ raise: [condition("dis_1")], clear: [alarm("dis_3")] });
  });

  test("distinguishes the same subject of two kinds", () => {
    const mail = { kind: "mail_stuck" } as const;
    expect(reconcile([alarm("x", mail)], [condition("x")])).toEqual({
      raise: [condition("x")],
      clear: [alarm("x", mail)],
    });
  });

  test("neither raises nor clears an acknowledged one that still holds", () => {
    const seen = alarm("dis_1", { acknowledgedAt: earlier });
    expect(reconcile([seen], [condition("dis_1")])).toEqual({ raise: [], clear: [] });
  });

  test("clears a notice that failed once the account is reached after all", () => {
    const failed = alarm("mail_1", { kind: "notice_failed" });
    expect(reconcile([failed], [])).toEqual({ raise: [], clear: [failed] });
  });
});

describe("an acknowledgement", () => {
  test("leaves an alarm standing whose cause may pass", () => {
    expect(acknowledged(alarm("dis_1"), now)).toEqual(alarm("dis_1", { acknowledgedAt: now }));
  });

  test("clears one that a person takes care of", () => {
    const failed = alarm("mail_1", { kind: "notice_failed" });
    expect(acknowledged(failed, now)).toEqual({ ...failed, acknowledgedAt: now, clearedAt: now });
  });

  test("of one that was over before keeps when it was over", () => {
    const over = alarm("dis_1", { clearedAt: earlier });
    expect(acknowledged(over, now)).toEqual({ ...over, acknowledgedAt: now });
  });

  test("of one that was acknowledged with its group, and that a person takes care of, clears it", () => {
    const seen = alarm("mail_1", { kind: "notice_failed", acknowledgedAt: earlier });
    const over = { ...seen, clearedAt: now };
    expect(acknowledged(seen, now)).toEqual(over);
    expect(acknowledged(over, now)).toBe(over);
  });

  test("done again changes nothing", () => {
    const seen = alarm("dis_1", { acknowledgedAt: earlier });
    expect(acknowledged(seen, now)).toBe(seen);
  });
});
