import { type Dispatch, defaultLevel, type KnownEvent, type Listing, type VenState } from "@curtail/openadr";
import type { Ven, VenAcknowledgement, VenEvent } from "../domain/ven.js";
import type { AnsweredEvent, VenDispatch } from "../operations/ven-channel.js";

type Acknowledgement = KnownEvent["history"][number];

/** The inputs of a VEN's events, in OpenADR terms. */
export const listingOf = (
  ven: Ven,
  from: { readonly dispatches: readonly VenDispatch[]; readonly known: readonly VenEvent[]; readonly now: Date },
): Listing => ({
  ven: {
    venId: ven.venId,
    targetVenId: ven.targetVenId,
    resourceIdFrom: ven.targetResource,
    askToAnswer: true,
  },
  dispatches: from.dispatches.map((each) => toOpenadr(each, ven)),
  state: stateOf(from.known.map((event) => ({ ...event, history: [] }))),
  now: from.now,
});

export const stateOf = (events: readonly AnsweredEvent[]): VenState =>
  new Map(events.map((event) => [event.dispatchId, toKnown(event)]));

const toKnown = ({ firstShownAt, shownModification, acknowledged, history }: AnsweredEvent): KnownEvent => ({
  firstShownAt,
  shownModification,
  acknowledged: acknowledged === null ? null : toAcknowledgement(acknowledged),
  history: history.map(toAcknowledgement),
});

const toAcknowledgement = ({ opt, ...rest }: VenAcknowledgement): Acknowledgement => ({ ...rest, optType: opt });

export const fromAcknowledgement = ({ optType, ...rest }: Acknowledgement): VenAcknowledgement => ({
  ...rest,
  opt: optType,
});

const toOpenadr = ({ dispatch, openadr, priority }: VenDispatch, { marketContext }: Ven): Dispatch => ({
  id: dispatch.id,
  notification: dispatch.notification,
  start: dispatch.start,
  end: dispatch.end,
  modificationNumber: dispatch.modificationNumber,
  createdAt: dispatch.createdAt,
  // A cancelled dispatch never changes again.
  cancelledAt: dispatch.authorized ? null : dispatch.changedAt,
  test: dispatch.test,
  level: openadr?.level ?? defaultLevel(dispatch.program.programType),
  rampUpSeconds: openadr?.ramp_up_seconds ?? 0,
  recoverySeconds: openadr?.recovery_seconds ?? 0,
  marketContext: marketContext === "*" ? "*" : dispatch.program.id,
  priority,
  sites: dispatch.sites.map(({ id, customerLocationId }) => ({ id, customerLocationId })),
  comment: dispatch.program.name === "" ? null : dispatch.program.name,
});
