import type { auth } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { OWN_ZONE } from "../format/time.js";
import { browserName } from "../rules/browser-name.js";
import { type PushOwner, pushOnSignIn } from "../rules/push-owner.js";
import { type PushSupport, pushSupport } from "../rules/push-support.js";
import { callAuth } from "./call.js";

type Person = Pick<PushOwner, "userId" | "sessionId">;

const BROWSER = browserName(navigator.userAgent);
const WORKER = `/service-worker.js?browser=${encodeURIComponent(BROWSER)}`;
const OWNER = "push";

const hasWorkers = (): boolean => "serviceWorker" in navigator;

/** Whether this browser can show notifications; asks for nothing. */
export const supportHere = (): PushSupport =>
  pushSupport({
    isSecure: window.isSecureContext,
    hasPush: hasWorkers() && "PushManager" in window && "Notification" in window,
    // An iPad says that it is a Mac, but no Mac has a touch screen.
    isIos:
      /iPhone|iPad/.test(navigator.userAgent) || (navigator.userAgent.includes("Mac") && navigator.maxTouchPoints > 1),
    isInstalled: window.matchMedia("(display-mode: standalone)").matches,
    permission: "Notification" in window ? Notification.permission : "default",
  });

/** The id of this browser's registration; null if it has none. */
export const registeredHere = async (): Promise<string | null> => {
  const subscription = await currentSubscription();
  return subscription === null ? null : (ownerHere()?.subscriptionId ?? null);
};

/** Asks for permission, which needs a click, and registers this browser for the signed-in user. */
const registerHere = async (person: Person, pushKey: string): Promise<void> => {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(say("Notifications were not allowed."));
  const registration = await startedWorker();
  const known = await registration.pushManager.getSubscription();
  // Of another service or another key pair: nothing that it gets could be decrypted.
  if (known !== null && !isFor(known, pushKey)) await known.unsubscribe();
  await register(registration, person, pushKey);
};

/** Registers this browser, and has it notify of dispatches and their changes unless the person chose something already. */
export const turnOnHere = async (person: Person): Promise<void> => {
  const preferences = await callAuth("GET", "/notice-preferences", {});
  await registerHere(person, preferences.push_key);
  if (!wantsPush(preferences)) await callAuth("PUT", "/notice-preferences", { body: withDispatches(preferences) });
};

type Preferences = auth.NoticePreferences;

export const wantsPush = ({ dispatches, changes, alarms }: Preferences): boolean =>
  dispatches.push || changes.push || alarms.push;

const withDispatches = ({ dispatches, changes, alarms, quiet_hours, timezone, is_set }: Preferences) => ({
  dispatches: { ...dispatches, push: true },
  changes: { ...changes, push: true },
  alarms,
  quiet_hours,
  timezone: is_set ? timezone : OWN_ZONE,
});

/** Ends this browser's registration. Its push service then refuses what is still sent to it. */
export const endHere = async (): Promise<void> => {
  localStorage.removeItem(OWNER);
  await (await currentSubscription())?.unsubscribe();
};

/** Starts the service worker, and brings the browser's registration in line with the person who signed in. */
export const keepPush = async (person: Person): Promise<void> => {
  if (!hasWorkers()) return;
  const registration = await startedWorker();
  const next = pushOnSignIn(ownerHere(), person);
  if (next === "end") await endHere();
  if (next !== "renew" || supportHere() !== "ready") return;
  // Removed from the list elsewhere, it stays removed.
  if (!(await isListed())) return endHere();
  const { push_key } = await callAuth("GET", "/notice-preferences", {});
  await register(registration, person, push_key);
};

/** The name that the service worker gives a browser whose address its push service replaced. */
const RENEWED = `${BROWSER} (renewed)`;

const isListed = async (): Promise<boolean> => {
  const { items } = await callAuth("GET", "/push-subscriptions", {});
  return items.some(({ id, name }) => id === ownerHere()?.subscriptionId || name === RENEWED);
};

const register = async (registration: ServiceWorkerRegistration, person: Person, pushKey: string): Promise<void> => {
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: pushKey,
  });
  const { endpoint = "", keys } = subscription.toJSON();
  const { id } = await callAuth("POST", "/push-subscriptions", {
    body: {
      endpoint,
      keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" },
      name: BROWSER,
    },
  });
  const owner: PushOwner = { ...person, subscriptionId: id };
  localStorage.setItem(OWNER, JSON.stringify(owner));
};

const startedWorker = async (): Promise<ServiceWorkerRegistration> => {
  await navigator.serviceWorker.register(WORKER, { updateViaCache: "none" });
  return navigator.serviceWorker.ready;
};

const currentSubscription = async (): Promise<PushSubscription | null> => {
  if (supportHere() !== "ready") return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
};

const ownerHere = (): PushOwner | null => {
  const stored = localStorage.getItem(OWNER);
  return stored === null ? null : (JSON.parse(stored) as PushOwner);
};

const isFor = ({ options }: PushSubscription, pushKey: string): boolean => {
  const key = options.applicationServerKey;
  if (key === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === pushKey;
};
