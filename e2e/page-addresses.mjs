// Addresses of the pages with what a running service has; a page of what it lacks is left out. `get` returns the JSON of an address.

/** Pages of operators, by name. */
export const operatorPages = async (get) => {
  const first = async (path) => (await get(`/operator/v1/${path}`)).items[0]?.id;
  const running = await first("dispatches?state=active");
  const called = running && (await get(`/operator/v1/dispatches/${running}`)).sites[0]?.site_id;
  const past = await first("dispatches?state=past");
  const [account, site, program] = [await first("accounts"), await first("sites"), await first("programs")];
  const ven = account && (await first(`accounts/${account}/vens`));
  const [statement, event, client, shift] = [
    await first("statements"),
    await first("openadr3-events"),
    await first("openadr3-clients"),
    await first("shift-reports"),
  ];
  return below("/operations", {
    board: "",
    dispatches: "/dispatches",
    "dispatches-past": "/dispatches?state=past",
    dispatch: running && `/dispatches/${running}`,
    "dispatch-evidence": running && `/dispatches/${running}?tab=evidence`,
    "dispatch-drawer": called && `/dispatches/${running}?site=${called}`,
    "dispatch-past": past && `/dispatches/${past}`,
    "dispatch-result": past && `/dispatches/${past}?tab=result`,
    "dispatch-report": past && `/dispatches/${past}/report`,
    wall: "/wall",
    "new-dispatch": "/dispatches/new",
    alarms: "/alarms",
    "hand-over": "/hand-over",
    "new-shift-report": "/hand-over/new",
    "shift-report": shift && `/hand-over/${shift}`,
    telemetry: "/telemetry",
    "telemetry-of-site": site && `/telemetry/${site}`,
    reports: "/reports",
    "reports-by-dispatch": "/reports?by=dispatch",
    accounts: "/accounts",
    account: account && `/accounts/${account}`,
    sites: "/sites",
    site: site && `/sites/${site}`,
    "site-meter-data": site && `/sites/${site}/meter-data`,
    programs: "/programs",
    program: program && `/programs/${program}`,
    openadr3: "/openadr3",
    "openadr3-programs": "/openadr3?tab=programs",
    "openadr3-business-logic": "/openadr3?tab=business-logic",
    "openadr3-new-event": "/openadr3/events/new",
    "openadr3-event": event && `/openadr3/events/${event}`,
    "openadr3-event-values": event && `/openadr3/events/${event}/values`,
    "openadr3-client": client && `/openadr3/clients/${client}`,
    ven: ven && `/vens/${ven}`,
    statements: "/statements",
    statement: statement && `/statements/${statement}`,
    onboarding: "/onboarding",
    users: "/users",
    audit: "/audit",
    import: "/import",
    "no-such-page": "/nowhere",
  });
};

/** Pages of participants. */
export const participantPages = async (get) => {
  const running = Object.values(await get("/console/v1/dispatches"))
    .flat()
    .find((each) => !isPast(each))?.id;
  const past = (await get("/console/v1/dispatches/past")).items[0]?.id;
  const statement = (await get("/console/v1/statements")).items[0]?.id;
  return below("/dashboard", {
    now: "",
    dispatches: "/dispatches",
    dispatch: running && `/dispatches/${running}`,
    "dispatch-past": past && `/dispatches/${past}`,
    "dispatch-report": past && `/dispatches/${past}/report`,
    energy: "/energy",
    power: "/energy?view=power",
    "import-meter-data": "/energy/import",
    reports: "/reports",
    availability: "/availability",
    statements: "/statements",
    statement: statement && `/statements/${statement}`,
    connect: "/connect",
    webhooks: "/webhooks",
    keys: "/keys",
    requests: "/requests",
    sandbox: "/sandbox",
    contacts: "/contacts",
    users: "/users",
    you: "/../you",
    "no-such-page": "/nowhere",
  });
};

const isPast = ({ end_time }) => end_time !== null && Date.parse(end_time) < Date.now();

const below = (side, pages) =>
  Object.entries(pages).flatMap(([name, path]) =>
    path === undefined
      ? []
      : [[`${side.slice(1)}-${name}`, new URL(side + path, "http://any").href.slice("http://any".length)]],
  );
