import { describe, expect, test } from "vitest";
import {
  type Channels,
  deadlineOf,
  judgeOwed,
  type OverdueMail,
  type OwedNotice,
  owedSince,
  owesNotices,
  settledMails,
} from "../../../src/notification/domain/owed-notice.js";

const noon = new Date("2026-07-01T12:00:00Z");
const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
const longAgo = after(-86_400);

const none: Channels = { webhookEvents: [], vens: [], clients: [], polls: null };
const webhook: Channels = { ...none, webhookEvents: ["dispatch.create", "dispatch.update"] };
const polling = (intervalSeconds: number | null, lastAt = after(-10)): Channels => ({
  ...none,
  polls: { lastAt, intervalSeconds },
});
const ven = (pollIntervalSeconds: number, lastPollAt: Date | null): Channels => ({
  ...none,
  vens: [{ lastPollAt, pollIntervalSeconds }],
});
const notice = (of: Partial<OwedNotice> = {}): OwedNotice => ({
  seq: 1,
  event: "dispatch.create",
  modificationNumber: 0,
  since: noon,
  ...of,
});
const update = (seq: number, since: Date) =>
  notice({ seq, event: "dispatch.update", modificationNumber: seq - 1, since });

describe("the time that an account has", () => {
  test.each<[string, Channels, number]>([
    ["no channel", none, 0],
    ["a webhook", webhook, 60],
    ["a webhook that hears of changes only", { ...none, webhookEvents: ["dispatch.update"] }, 0],
    ["polls every 40 s", polling(40), 120],
    ["polls every second", polling(1), 60],
    ["polls every 10 minutes", polling(600), 300],
    ["polled once", polling(null), 60],
    ["polled an hour ago", polling(40, after(-3600)), 0],
    ["a webhook, and polls every 40 s", { ...polling(40), webhookEvents: ["dispatch.create"] }, 120],
    ["a VEN that polls every minute", ven(60, after(-30)), 180],
    ["a VEN that never polled", ven(60, null), 60],
  ])("%s", (_, channels, seconds) => {
    expect(deadlineOf(notice(), channels, longAgo)).toEqual(after(seconds));
  });

  test("begins with the notice, or with the service if it was down then", () => {
    expect(owedSince(noon, after(-5))).toEqual(noon);
    expect(owedSince(noon, after(600))).toEqual(after(600));
  });

  test("does not end within 15 s of a start, while the previous process's deliveries are sent, unless there is no channel", () => {
    expect(deadlineOf(notice(), webhook, after(58))).toEqual(after(73));
    expect(deadlineOf(notice(), none, after(58))).toEqual(noon);
  });
});

const judge = (notices: readonly OwedNotice[], settledModification: number | null, now: Date) =>
  judgeOwed(notices, [{ accountId: "acc_1", settledModification, channels: webhook }], {
    now,
    servingSince: longAgo,
  });
const mailOf = (noticeSeq: number, event: string) => [{ accountId: "acc_1", noticeSeq, event }];

describe("a look", () => {
  test("waits until the deadline, and mails at it", () => {
    expect(judge([notice()], null, after(59))).toEqual({ overdue: [], nextAt: after(60) });
    expect(judge([notice()], null, after(60))).toEqual({ overdue: mailOf(1, "dispatch.create"), nextAt: null });
  });

  test("counts from the oldest notice that has not reached the account, and mails the newest", () => {
    const both = [notice(), update(2, after(50))];
    expect(judge(both, null, after(60)).overdue).toEqual(mailOf(2, "dispatch.create"));
    expect(judge(both, 0, after(60))).toEqual({ overdue: [], nextAt: after(110) });
    expect(judge(both, 0, after(110)).overdue).toEqual(mailOf(2, "dispatch.update"));
  });

  test("does not apply if a later modification reached the account", () => {
    expect(judge([notice(), update(2, noon)], 1, after(600))).toEqual({ overdue: [], nextAt: null });
  });
});

test("a dispatch owes nothing once it is over, or cancelled, for a day", () => {
  const day = 86_400;
  const dispatch = { authorized: true, end: after(0), changedAt: after(-day) };
  expect(owesNotices(dispatch, after(day))).toBe(true);
  expect(owesNotices(dispatch, after(day + 1))).toBe(false);
  expect(owesNotices({ ...dispatch, end: null }, after(100 * day))).toBe(true);
  expect(owesNotices({ ...dispatch, end: null, authorized: false }, after(1))).toBe(false);
});

const mail = (of: Partial<OverdueMail> = {}): OverdueMail => ({
  id: "mail_1",
  accountId: "acc_1",
  dispatchId: "dis_1",
  noticeSeq: 1,
  modificationNumber: 0,
  isFailing: true,
  isDisabled: false,
  isOver: false,
  ...of,
});
const settled = (mails: readonly OverdueMail[], reached: number | null) =>
  settledMails(mails, () => reached).map(({ id }) => id);

describe("an overdue mail", () => {
  test("is settled when its modification or a later one reached the account", () => {
    const second = mail({ modificationNumber: 1 });
    expect(settled([second], null)).toEqual([]);
    expect(settled([second], 0)).toEqual([]);
    expect(settled([second], 1)).toEqual(["mail_1"]);
    expect(settled([second], 2)).toEqual(["mail_1"]);
  });

  test("is settled once it was sent, or nobody needs it", () => {
    expect(settled([mail({ isOver: true })], null)).toEqual(["mail_1"]);
  });

  test("is settled when its account is disabled", () => {
    expect(settled([mail({ isDisabled: true })], null)).toEqual(["mail_1"]);
  });

  test("is settled by a later one of its account and dispatch once that fails too", () => {
    const later = mail({ id: "mail_2", noticeSeq: 2, modificationNumber: 1 });
    expect(settled([mail(), { ...later, isFailing: false }], null)).toEqual([]);
    expect(settled([mail(), later], null)).toEqual(["mail_1"]);
    expect(settled([mail(), { ...later, dispatchId: "dis_2" }], null)).toEqual([]);
  });
});
