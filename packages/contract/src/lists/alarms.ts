// Kinds of alarms: all words about a kind are here. Imports lists only: browsers load this file, not the schemas.
import type { AlarmCause } from "./alarm-causes.js";

interface AlarmWords {
  /** On the page of alarms, and in the timeline of a dispatch. */
  readonly title: string;
  /** On a lock screen, after `Alarm:` or `Alarm over:`. Without the message of an alarm, which may quote addresses. */
  readonly notice: string;
  /** What is wrong, on pages and for all who read no ids: with `{account}` and `{dispatch}`, which need not be known. */
  readonly words: string;
  /** For the table in `docs/admin.md`, in Markdown, as are the next three: what the alarm is of. */
  readonly subject: string;
  readonly raised: string;
  readonly cleared: string;
  readonly action: string;
  /** It is of the service itself: it stays when a demo is removed. */
  readonly ofService?: true;
  /** It ends when it is acknowledged: a person then does what the service could not. */
  readonly endsOnceSeen?: true;
  /** Alarms of a dispatch with the same cause are one group (`alarm-causes.ts`); without one, those of the same kind. */
  readonly cause?: AlarmCause;
  /** Priority of its groups without kW: 1 prevents dispatching, 2 soon does, 3 (unless said) when there is time. */
  readonly priority?: 1 | 2;
}

export const alarms = {
  notice_undelivered: {
    title: "Notice not delivered",
    notice: "a notice of a dispatch is not delivered",
    words: "A notice of {dispatch} is not delivered everywhere yet.",
    subject: "dispatch",
    raised: "a notice has been due for more than 15 s and is not sent, or not delivered to every webhook",
    cleared: "every webhook has it, or failed for good",
    action:
      "see `dispatches deliveries`; phone the accounts whose webhooks fail. If nothing was sent: start a process with the role worker",
    priority: 1,
  },
  notice_failed: {
    title: "Account not notified",
    notice: "an account was not notified of a dispatch",
    words: "{account} was not notified of {dispatch}.",
    subject: "email",
    raised:
      "an account of a dispatch was not notified in time: no webhook, poll or VEN confirmed a notice, and the email to its contacts cannot be sent, failed three times or was refused for every contact; also after the end of the dispatch",
    cleared: "a channel reaches the account, or the alarm is acknowledged",
    action: "phone the contact named in the alarm; add contacts to the account, or set up the mail server",
    endsOnceSeen: true,
    cause: "not_notified",
  },
  mail_stuck: {
    title: "Email is delayed",
    notice: "an email to an account cannot be sent",
    words: "An email to {account} about {dispatch} cannot be sent. Another channel reached the account.",
    subject: "email",
    raised: "no mail server accepted an email in three attempts, for an account that another channel reached",
    cleared: "it is sent, or dropped after a day",
    action: "check `CURTAIL_SMTP_URL` and the mail server",
    priority: 2,
  },
  contact_refused: {
    title: "Email to a contact refused",
    notice: "the mail server refuses a contact",
    words: "The mail server refuses a contact of {account}.",
    subject: "contact",
    raised: "the mail server refused a contact of an email for good, or deferred it three times",
    cleared:
      "the contact is removed or replaced, an email is accepted for it, or the account is notified of the dispatch otherwise",
    action: "correct the address; phone the contact meanwhile",
  },
  gateway_failing: {
    title: "SMS or calls are delayed",
    notice: "SMS or calls to contacts are delayed",
    words: "SMS or calls to contacts are delayed: the gateway does not take them.",
    subject: "setting",
    raised: "a [gateway](gateway.md) failed three times to take a message",
    cleared: "it takes them, or they are given up after six hours",
    action: "check `CURTAIL_SMS_URL` or `CURTAIL_VOICE_URL` and the gateway; phone the accounts",
    ofService: true,
    priority: 2,
  },
  address_failing: {
    title: "Chat room does not take messages",
    notice: "an address does not take messages",
    words: "A chat room of {account} does not take messages.",
    subject: "address",
    raised: "an address of a [channel](chat.md) failed three times in a row to take a message, or refused one",
    cleared: "it takes one, also that of a test, or is removed",
    action: "ask the account for another address; phone it meanwhile",
  },
  last_webhook_deleted: {
    title: "Last webhook deleted",
    notice: "an account deleted its last webhook",
    words: "{account} deleted its last webhook: it learns of changes of {dispatch} only by polling.",
    subject: "account",
    raised: "a participant deletes its last webhook during a dispatch, or before one that it was notified of",
    cleared: "it registers a webhook, or the dispatch is over",
    action: "ask it to register one; phone it when the dispatch changes",
  },
  certificate_expiring: {
    title: "Certificate expires soon",
    notice: "a VEN's certificate expires soon",
    words: "The certificate of a VEN of {account} expires soon, or has expired.",
    subject: "VEN, days",
    raised: "the last certificate of a VEN expires in 60, 30 or 7 days, or has expired: one alarm per step",
    cleared: "it has a newer one, or is deleted",
    action: "`vens certify`, and ask the account to install the new certificate ([guide](openadr.md))",
  },
  ven_silent: {
    title: "VEN is silent",
    notice: "a VEN has stopped polling",
    words: "A VEN of {account} has stopped polling: it receives no dispatches.",
    subject: "VEN",
    raised: "a polling VEN missed three polls while a process listened for VENs",
    cleared: "it polls",
    action: "phone the account; check its VEN, certificate and network",
  },
  ven_unacknowledged: {
    title: "VEN did not acknowledge",
    notice: "a VEN did not acknowledge a dispatch",
    words: "A VEN of {account} has not acknowledged {dispatch}: it may not curtail.",
    subject: "VEN, dispatch",
    raised: "a VEN received a modification 2 minutes ago and has not acknowledged it",
    cleared: "it acknowledges, or the dispatch is over",
    action: "phone the account: it may not curtail",
    cause: "not_acknowledged",
  },
  ven_error: {
    title: "VEN reported an error",
    notice: "a VEN answered with an error",
    words: "A VEN of {account} answered {dispatch} with an error: it may not curtail.",
    subject: "VEN, dispatch",
    raised: "a VEN answers an event with an error, or reports one in OpenADR 3: it is in the message",
    cleared: "it acknowledges, or the dispatch is over",
    action: "phone the account; have its VEN checked: it has not acknowledged",
    cause: "not_acknowledged",
  },
  ven_opted_out: {
    title: "VEN opted out",
    notice: "a VEN opted out of a dispatch",
    words: "A VEN of {account} opted out of {dispatch}: its sites will not curtail.",
    subject: "VEN, dispatch",
    raised: "a VEN opts out of a dispatch",
    cleared: "it opts in, the dispatch is over, or it is acknowledged",
    action: "phone the account, or plan without its sites",
    endsOnceSeen: true,
    cause: "opted_out",
  },
  openadr3_silent: {
    title: "OpenADR 3 VEN is silent",
    notice: "a VEN of OpenADR 3 has stopped polling",
    words: "A VEN of {account} has stopped reading its events: it receives no dispatches.",
    subject: "client",
    raised:
      "a VEN of [OpenADR 3](openadr3.md) that polls and is not called back has not read its events for three of its usual intervals and a minute while a process listened",
    cleared: "it reads them, or subscribes to events",
    action: "phone the account; check its VEN and network",
  },
  openadr3_undelivered: {
    title: "OpenADR 3 callback failed",
    notice: "a callback of OpenADR 3 failed",
    words: "A callback of {account} about {dispatch} failed.",
    subject: "client, dispatch; or subscription",
    raised: "every attempt at a callback failed: about a dispatch, or the latest about anything else",
    cleared: "the VEN reads or answers the event, a later callback succeeds, or the dispatch is over",
    action: "phone the account: it may not curtail; have the callback checked",
    cause: "not_notified",
  },
  telemetry_stale: {
    title: "Telemetry is stale",
    notice: "readings of a dispatch are missing",
    words: "Sites of {dispatch} send no readings and cannot be measured.",
    subject: "dispatch",
    raised:
      "a dispatch starts within 30 minutes or is in progress, and one of its sites sent no reading for 15 minutes, or one of its meters is silent",
    cleared: "every site reports, or the dispatch is over",
    action: "see `sites telemetry-health`; phone the accounts",
    cause: "no_readings",
  },
  dispatch_open_long: {
    title: "Dispatch has no end",
    notice: "a dispatch has been running for long without an end",
    words: "{dispatch} has been running for long, and has no end.",
    subject: "dispatch",
    raised: "a dispatch without an end has been running for longer than its program's `longest_open_hours`",
    cleared: "it ends",
    action: "end it if it was forgotten, or set its end",
    priority: 2,
  },
  dispatched_cut_off: {
    title: "Cut off during a dispatch",
    notice: "an account was cut off during a dispatch",
    words: "{account} was cut off during a dispatch.",
    subject: "account or site",
    raised:
      "during a dispatch, an account in it was disabled, its last production key was revoked, or a site in it was withdrawn from the program",
    cleared: "the dispatch is over, or that is undone",
    action: "phone the account: the dispatch does not change",
    priority: 2,
  },
  follower_behind: {
    title: "Changes are followed late",
    notice: "changes are followed late",
    words: "Changes are followed late: notices and pages may be behind.",
    subject: "follower",
    raised:
      "a [follower](#followers) has not seen a change for longer than it may: 15 seconds for what notifies, a minute for others",
    cleared: "it has seen all changes that old",
    action: "start a process with the role `worker`, or find what loads the database",
    ofService: true,
    priority: 2,
  },
  follower_stuck: {
    title: "A change cannot be followed",
    notice: "a change cannot be followed",
    words: "A change cannot be followed: later changes of the same object wait.",
    subject: "follower, subject",
    raised:
      "a [follower](#followers) failed five times to follow a change of a subject; later changes of it wait, those of others do not",
    cleared: "it follows the change",
    action: "remove what the message and the log name; then `followers retry`",
    ofService: true,
    priority: 2,
  },
  readings_unfolded: {
    title: "Log of readings is not folded",
    notice: "the log of readings is not folded",
    words: "The log of readings is not folded: it grows, and reads take longer.",
    subject: "log",
    raised:
      "the [log of live readings](operating.md#a-log-of-live-readings) has had a reading for a twelfth of `CURTAIL_FOLD_AFTER` and five minutes longer than that says",
    cleared: "it is in a row",
    action: "start a process with the role `worker`, or end the transaction that stays open",
    ofService: true,
    priority: 2,
  },
  holidays_ending: {
    title: "Holidays of a year are missing",
    notice: "holidays of a program are missing",
    words: "Holidays of a program are missing: baselines would take them for business days.",
    subject: "program",
    raised: "the holidays of a program with enrolments end before the year; from November on, before the next one",
    cleared: "holidays of that year are added or confirmed, or the list is emptied",
    action:
      "add the holidays of the year, or confirm those of the calendar: the page of the program, `programs change`, `programs confirm-holidays`",
  },
  battery_undecided: {
    title: "What a battery's kWh mean is undecided",
    notice: "the meaning of a battery's kWh is undecided",
    words: "Nobody has decided what the kWh of a battery of {account} mean.",
    subject: "account",
    raised:
      "kWh of one of its batteries may be a state of charge and count as energy until an operator [decides](#states-of-charge)",
    cleared: "an operator has decided for each of its batteries",
    action: "ask the account; set what kWh mean on the page of each site, or with `meters change … --kwh-means`",
  },
  delivery_held: {
    title: "Delivery is held after a restore",
    notice: "nothing is sent after a restore, until delivery is released",
    words: "Nothing is sent after a restore, until delivery is released.",
    subject: "`delivery_hold`",
    raised:
      "the service was [restored](operating.md#backup-and-restore) from a backup, or its database to a [point in time](point-in-time.md#restore-to-the-second-before-a-mistake): nothing is sent",
    cleared: "an operator releases delivery",
    action: "turn off the service before; then `delivery-hold release`",
    ofService: true,
    priority: 1,
  },
  backup_missing: {
    title: "Daily backup is missing",
    notice: "there is no daily backup",
    words: "There is no daily backup, or the newest one is old.",
    subject: "directory",
    raised: "the last [daily backup](operating.md#backup-and-restore) failed, or the newest is older than 36 hours",
    cleared: "one is made, or `CURTAIL_BACKUP_DIRECTORY` is `off`",
    action: "do what the alarm says; make one by hand meanwhile",
    ofService: true,
  },
  disk_low: {
    title: "Disk space is low",
    notice: "the disk of the service is almost full",
    words: "The disk of the service is almost full.",
    subject: "directory",
    raised:
      "the disk of the data directory has less than 15 % or 3 GB free, whichever is less; below 5 % or 1 GB, uploads get 500",
    cleared: "enough space is free",
    action: "enlarge the disk or free space on it",
    ofService: true,
    priority: 2,
  },
  standby_degraded: {
    title: "Standby of the database is not ready",
    notice: "the standby of the database is not ready",
    words: "A standby of the database is missing or behind: a failover may not work.",
    subject: "standbys, one of them, or its slot",
    raised:
      "an external database has fewer synchronous standbys than it asks for or `CURTAIL_DATABASE_STANDBYS` says, a standby is behind by more than `CURTAIL_STANDBY_LAG_MB`, or the primary keeps more than `CURTAIL_STANDBY_SLOT_MB` of its log for one",
    cleared: "the standby has all of it",
    action: "start the standby again; see [failover](failover.md#after-a-failover)",
    ofService: true,
    priority: 2,
  },
  database_node_away: {
    title: "Node of the database cannot be reached",
    notice: "a node of the database cannot be reached",
    words: "A node of the database cannot be reached: readings of some sites are not stored.",
    subject: "node",
    raised:
      "a node of a [distributed database](scaling.md#readings-on-several-machines) cannot be reached from its coordinator",
    cleared: "it answers",
    action: "start the node again, and check its machine and network",
    ofService: true,
    priority: 2,
  },
  archiving_failed: {
    title: "Log of the database is not archived",
    notice: "the log of the database is not archived",
    words: "The log of the database is not archived: it cannot be restored to a point in time.",
    subject: "`archive`",
    raised:
      "an external database has archived nothing for five minutes and last failed to ([point in time](point-in-time.md#the-schedule))",
    cleared: "it has archived a piece again",
    action: "see the log of PostgreSQL, and make the archive reachable before the disk is full",
    ofService: true,
    priority: 2,
  },
  broker_behind: {
    title: "MQTT broker takes no changes",
    notice: "the MQTT broker takes no changes",
    words: "The MQTT broker takes no changes.",
    subject: "setting",
    raised:
      "a change of OpenADR 3.1 has waited for more than a minute for the [MQTT broker](openadr3-mqtt.md) of a setting",
    cleared: "the broker has it",
    action: "start the broker again, or see the log for why it takes no messages",
    ofService: true,
    priority: 2,
  },
  broker_unsafe: {
    title: "MQTT broker does not keep its users apart",
    notice: "the MQTT broker does not keep its users apart",
    words: "The MQTT broker does not keep its users apart.",
    subject: "what to mend",
    raised:
      "users of the [MQTT broker](openadr3-mqtt.md#mosquitto) could reach sessions of others: it lets them choose client identifiers, or receive everything by default",
    cleared: "the broker keeps its users apart, which is looked at every minute",
    action: "set the broker up as [described](openadr3-mqtt.md#mosquitto)",
    ofService: true,
  },
  broker_client_shared: {
    title: "Two programs share a client over MQTT",
    notice: "two programs share a client over MQTT",
    words: "Two programs share a client over MQTT, and end each other's connections.",
    subject: "client",
    raised:
      "connections of an OpenADR 3 client over MQTT ended each other four times within five minutes, and the last time is less than ten minutes ago",
    cleared: "its connections have not ended each other for ten minutes",
    action: "give each program a client of its own",
  },
} as const satisfies Readonly<Record<string, AlarmWords>>;

export type AlarmKind = keyof typeof alarms;

const all: Readonly<Record<AlarmKind, AlarmWords>> = alarms;

export const alarmKinds = Object.keys(alarms) as readonly AlarmKind[];

/** Those of which something holds. */
export const alarmsThat = (holds: (words: AlarmWords) => boolean): readonly AlarmKind[] =>
  alarmKinds.filter((kind) => holds(all[kind]));

/** Words of a kind; null for one that a newer version added. */
export const alarmWords = (kind: string): AlarmWords | null =>
  Object.hasOwn(all, kind) ? all[kind as AlarmKind] : null;
