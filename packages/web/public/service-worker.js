// Shows notifications, and says so when the service cannot be reached. It keeps no data and no pages: everything else
// goes to the network as if it were not here.
const OFFLINE = "/offline.html";
const KEPT = [OFFLINE, "/offline.js", "/theme.js"];
const CACHE = "offline";
/** The pages name the browser in the address of this file: it has to know the name while none is open. */
const BROWSER = new URL(self.location.href).searchParams.get("browser") ?? "Browser";
const PAGES = ["/sign-in", "/you", "/dashboard", "/operations"];

self.addEventListener("install", (event) => {
  event.waitUntil(keep());
  // The next version takes over at once: pages need nothing of the previous one.
  self.skipWaiting();
});

const keep = async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll(KEPT.map((path) => new Request(path, { cache: "reload" })));
};

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== "GET") return;
  if (request.mode === "navigate" && isPage(pathname)) event.respondWith(page(event));
  else if (KEPT.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

const isPage = (path) => path === "/" || PAGES.some((each) => path === each || path.startsWith(`${each}/`));

/** From the network; the offline page only when there is no answer at all. */
const page = async (event) => {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return kept(OFFLINE);
  }
};

const kept = async (path) => (await caches.match(path)) ?? Response.error();

self.addEventListener("push", (event) => {
  const { title, body, path, lang, tag, urgent, at } = noticeIn(event.data);
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      // A later notice of the dispatch replaces the one before, and still alerts.
      renotify: true,
      requireInteraction: urgent,
      timestamp: Date.parse(at) || Date.now(),
      icon: "/icon-192.png",
      badge: "/badge-96.png",
      lang,
      data: { path },
    }),
  );
});

/** Here no page, and no choice of one, is at hand: the language is that of the browser. */
const BODIES = {
  de: "Öffnen Sie die Seiten, um zu sehen, was neu ist.",
  es: "Abra las páginas para ver las novedades.",
  fr: "Ouvrez les pages pour voir les nouveautés.",
};

const unknown = {
  title: "Curtail",
  body: BODIES[self.navigator.language.slice(0, 2).toLowerCase()] ?? "Open the pages to see what is new.",
  path: "/",
  tag: "unknown",
  urgent: false,
};

/** Browsers require a notification for every message, also for one that another version of the service wrote. */
const noticeIn = (data) => {
  try {
    return { ...unknown, ...data?.json() };
  } catch {
    return unknown;
  }
};

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? "/"));
});

/** A window that shows something else stays as it is: there may be unsaved input. */
const open = async (path) => {
  const { href, origin } = new URL(path, self.location.origin);
  if (origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === href);
  if (shown === undefined) await self.clients.openWindow(href);
  else await shown.focus();
};

// The push service gave the browser a new address; until it is registered, nothing arrives.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew());
});

const renew = async () => {
  const { push_key } = await (await fetch("/auth/notice-preferences")).json();
  const subscription = await self.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: push_key,
  });
  const { endpoint, keys } = subscription.toJSON();
  await fetch("/auth/push-subscriptions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, keys, name: `${BROWSER} (renewed)` }),
  });
};
