import { say } from "@curtail/words/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError, OPERATOR } from "../../api/call.js";
import { sessionQuery } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { clock, dayAndClock, dayOf, duration, OWN_ZONE } from "../../format/time.js";
import { LiveMark } from "../../live/live-mark.js";
import { useChanges } from "../../live/use-changes.js";
import { useNewVersion } from "../../live/use-new-version.js";
import { reloadOnce } from "../../routes/page.js";
import { staleFor } from "../../rules/wall.js";
import { Badge } from "../../ui/badge.js";
import { Button, ButtonLink } from "../../ui/button.js";
import { Waiting } from "../../ui/state.js";
import { useNow } from "../../ui/use-now.js";
import { useTitle } from "../../ui/use-title.js";
import { useWakeLock } from "../../ui/use-wake-lock.js";
import { useIsDemoThere } from "./demo/use-demo.js";
import { Idle } from "./wall/idle.js";
import { RunningDispatches } from "./wall/running-dispatches.js";
import { WallDrill } from "./wall/wall-drill.js";

const route = getRouteApi("/operations/wall");

const EVERY_MS = 10_000;

const reload = (): void => void reloadOnce();

/** The board for a screen on a wall: nothing to operate, readable from across a room. Or a drill: a past dispatch, played again. */
export const WallPage = () => {
  const { theme, replay } = route.useSearch();
  useWakeLock();
  useNewVersion(reload);
  useTheme(theme);
  return replay === undefined ? <LiveWall /> : <WallDrill key={replay} id={replay} controls={<Controls />} />;
};

const LiveWall = () => {
  useTitle(say("Wall display"));
  const live = useChanges(OPERATOR);
  const isDemo = useIsDemoThere();
  const { data, error, dataUpdatedAt } = useOperator("/overview", {}, { everyMs: EVERY_MS });
  const signedOut = error instanceof ApiError && error.status === 401;
  return (
    <div className="flex min-h-dvh flex-col gap-4 p-4 sm:p-6 wall:gap-8 wall:p-10">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Clock />
        <div className="flex flex-wrap items-center gap-2">
          {isDemo && <Badge tone="warn">{say("Demo")}</Badge>}
          <LiveMark state={live} />
          <Controls />
        </div>
      </header>
      <Trouble signedOut={signedOut} receivedAtMs={dataUpdatedAt} />
      <main className="flex min-h-0 flex-1 flex-col">
        {data === undefined ? (
          <>
            <h1 className="sr-only">{say("Wall display")}</h1>
            {!signedOut && <Waiting />}
          </>
        ) : data.dispatches.active.length === 0 ? (
          <Idle overview={data} />
        ) : (
          <RunningDispatches overview={data} />
        )}
      </main>
    </div>
  );
};

const Clock = () => {
  const now = useNow();
  return (
    <div className="text-3xl font-semibold wall:text-6xl">
      {clock(now)} <span className="text-lg font-normal text-muted wall:text-3xl">{dayOf(now, OWN_ZONE)}</span>
    </div>
  );
};

/** Says that the numbers are old, or about to be. */
const Trouble = ({ signedOut, receivedAtMs }: { readonly signedOut: boolean; readonly receivedAtMs: number }) => {
  const now = useNow();
  const { data: signedIn } = useQuery(sessionQuery);
  const oldMs = staleFor(receivedAtMs, now.getTime());
  const endsAt = signedIn?.session.expires_at;
  const endsSoon = endsAt !== undefined && Date.parse(endsAt) - now.getTime() < 24 * 3_600_000;
  const asOf =
    receivedAtMs === 0 ? "" : ` ${say("The numbers are from {time}.", { time: dayAndClock(new Date(receivedAtMs)) })}`;
  if (signedOut)
    return (
      <Warning>
        {say("This display is signed out.")}
        {asOf}{" "}
        <ButtonLink to="/sign-in" search={{ next: "/operations/wall" }}>
          {say("Sign in")}
        </ButtonLink>
      </Warning>
    );
  if (oldMs !== null)
    return (
      <Warning>
        {say("No new numbers for {duration}.", { duration: duration(oldMs) })}
        {asOf} {say("Reconnecting.")}
      </Warning>
    );
  return endsSoon ? (
    <p className="text-muted wall:text-2xl">
      {say("Signed in until {time}. Sign in again before that.", { time: dayAndClock(endsAt) })}
    </p>
  ) : null;
};

const Warning = ({ children }: { readonly children: React.ReactNode }) => (
  <div role="alert" className="rounded-xl bg-warn-soft px-5 py-3 text-lg font-medium text-warn wall:text-4xl">
    {children}
  </div>
);

const Controls = () => {
  const { theme } = route.useSearch();
  const navigate = route.useNavigate();
  const isDark = theme === "dark";
  return (
    <>
      <Button
        aria-pressed={isDark}
        onClick={() =>
          void navigate({
            search: ({ theme: _before, ...rest }) => (isDark ? rest : { ...rest, theme: "dark" }),
            replace: true,
          })
        }
      >
        {say("Dark", {}, "theme")}
      </Button>
      {document.fullscreenEnabled && (
        <Button
          onClick={() =>
            void (document.fullscreenElement === null
              ? document.documentElement.requestFullscreen()
              : document.exitFullscreen())
          }
        >
          {say("Full screen")}
        </Button>
      )}
      <ButtonLink to="/operations">{say("Board")}</ButtonLink>
    </>
  );
};

/** The theme of this display only; the user's own choice comes back afterwards. */
const useTheme = (theme: string | undefined): void =>
  useEffect(() => {
    if (theme !== "dark" && theme !== "light") return;
    const { dataset } = document.documentElement;
    const before = dataset["theme"];
    dataset["theme"] = theme;
    return () => {
      if (before === undefined) delete dataset["theme"];
      else dataset["theme"] = before;
    };
  }, [theme]);
