import { auth, type BodyOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { signedInOf } from "../../access/caller/session-check.js";
import { serve } from "../../platform/http/endpoint.js";
import { done, isRefusal, mapResult } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { canonicalTimezone } from "../../portfolio/domain/timezone.js";
import { type NoticePreferences, noPreferences } from "../domain/notice-preferences.js";
import { isGone, type PushSubscription } from "../domain/push-subscription.js";
import { type PreferencePorts, setNoticePreferences } from "../operations/manage-notice-preferences.js";
import {
  addPushSubscription,
  type PushSubscriptionPorts,
  removePushSubscription,
  testPushSubscription,
} from "../operations/manage-push-subscriptions.js";

export type PersonNoticePorts = PreferencePorts &
  PushSubscriptionPorts & {
    /** The public key that browsers subscribe with. */
    readonly pushKey: () => Promise<string>;
    readonly hasMail: boolean;
  };

/** What the signed-in user is notified of, and the browsers that show it. */
export const personNoticeRoutes = (app: FastifyInstance, ports: PersonNoticePorts): void => {
  const toWire = async (preferences: NoticePreferences, isSet: boolean): Promise<auth.NoticePreferences> => ({
    ...preferencesToWire(preferences),
    is_set: isSet,
    has_mail: ports.hasMail,
    push_key: await ports.pushKey(),
  });
  serve(app, auth.getNoticePreferences, async ({ request }) => {
    const found = await ports.stores.noticePreferences.find(signedInOf(request).user.id);
    return toWire(found ?? noPreferences, found !== null);
  });
  serve(app, auth.setNoticePreferences, ({ body, request }) =>
    mapResult(setNoticePreferences(ports, signedInOf(request).user, preferencesFrom(body)), (set) => toWire(set, true)),
  );
  subscriptionRoutes(app, ports);
};

const subscriptionRoutes = (app: FastifyInstance, ports: PersonNoticePorts): void => {
  serve(app, auth.listPushSubscriptions, async ({ request }) => {
    const found = await ports.stores.pushSubscriptions.ofUser(signedInOf(request).user.id);
    return { items: found.map(subscriptionToWire) };
  });
  serve(app, auth.addPushSubscription, ({ body: { endpoint, keys, name }, request }) =>
    mapResult(addPushSubscription(ports, signedInOf(request), { endpoint, ...keys, name }), subscriptionToWire),
  );
  serve(app, auth.removePushSubscription, ({ params, request }) =>
    done(removePushSubscription(ports, signedInOf(request).user, params.id)),
  );
  serve(app, auth.testPushSubscription, async ({ params, request }) => {
    const sent = await testPushSubscription(ports, signedInOf(request), params.id);
    if (isRefusal(sent)) return sent;
    const { ok, status, durationMs, error } = sent;
    return { ok, status, duration_ms: durationMs, error, is_removed: isGone(sent) };
  });
};

const preferencesToWire = ({ dispatches, changes, alarms, quietHours, timezone }: NoticePreferences) => ({
  dispatches,
  changes,
  alarms,
  quiet_hours: quietHours,
  timezone,
});

const preferencesFrom = (body: BodyOf<typeof auth.setNoticePreferences>): NoticePreferences => {
  const { dispatches, changes, alarms, quiet_hours, timezone } = body;
  return {
    dispatches: choiceFrom(dispatches),
    changes: choiceFrom(changes),
    alarms: choiceFrom(alarms),
    quietHours: quiet_hours === null ? null : { from: quiet_hours.from, until: quiet_hours.until },
    timezone: canonicalTimezone(timezone),
  };
};

/** Unknown members are dropped (G5). */
const choiceFrom = ({ mail, push }: NoticePreferences["dispatches"]) => ({ mail, push });

const subscriptionToWire = ({ id, name, createdAt, lastSuccessAt, lastError }: PushSubscription) => ({
  id,
  name,
  created_at: formatTimestamp(createdAt),
  last_success_at: lastSuccessAt === null ? null : formatTimestamp(lastSuccessAt),
  last_error: lastError,
});
