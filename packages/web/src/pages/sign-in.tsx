import { pageWords, say } from "@curtail/words/page";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { callAuth } from "../api/call.js";
import { sessionQuery } from "../api/session.js";
import { landingPage } from "../rules/landing.js";
import { homeOf } from "../rules/role.js";
import { codeOf } from "../rules/second-factor.js";
import { BrandFoot } from "../shell/brand-foot.js";
import { brand } from "../ui/brand.js";
import { Button } from "../ui/button.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { LanguageChoice, openIn } from "../ui/language-choice.js";
import { Fault } from "../ui/state.js";
import { useTitle } from "../ui/use-title.js";
import { endWords, signOnWords } from "./sign-in-words.js";

const route = getRouteApi("/sign-in");

export const SignInPage = () => {
  useTitle(say("Sign in"));
  return (
    <main className="grid min-h-dvh grid-rows-[1fr_auto] place-items-center p-4">
      <div className="w-full max-w-sm rounded-2xl bg-surface p-6 shadow-sm ring-1 ring-line">
        <img src={brand.logo} alt="" className="mb-4 size-10 object-contain" />
        <h1 dir="auto" className="mb-4 text-xl font-semibold wrap-anywhere">
          {say("Sign in to {name}", { name: brand.name })}
        </h1>
        <Why />
        <PasswordForm />
        <SingleSignOn />
        <Languages />
      </div>
      <BrandFoot className="max-w-sm justify-center" />
    </main>
  );
};

/** Before somebody is known, the choice is that of the browser. */
const Languages = () => (
  <div className="mt-6 border-t border-line pt-4">
    <LanguageChoice
      value={pageWords().language}
      onChoose={(language) => language !== null && openIn(language)}
      autoComplete="off"
    />
  </div>
);

const useOptions = () =>
  useQuery({ queryKey: ["/auth", "/options"], queryFn: () => callAuth("GET", "/options", {}) }).data;

/** Why the user has to sign in. */
const Why = () => {
  const { failed, next } = route.useSearch();
  const options = useOptions();
  if (failed !== undefined && Object.hasOwn(signOnWords, failed))
    return <Fault error={new Error(signOnWords[failed])} />;
  if (options === undefined) return null;
  const isForPage = options.session_end === null && landingPage(next, window.location.origin) !== null;
  const why = isForPage ? say("Sign in to open the page.") : options.session_end && endWords[options.session_end];
  return why === null ? null : (
    <p role="status" className="mb-4 rounded-lg bg-info-soft px-4 py-3 text-info">
      {why}
    </p>
  );
};

const PasswordForm = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  const { email: known = "", next } = route.useSearch();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState<string | null>(null);
  const [fault, setFault] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);

  const signIn = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      const body = { email, password, ...codeOf(code ?? "") };
      const { state, user } = await callAuth("POST", "/sign-in", { body });
      if (state === "totp_needed") setCode("");
      if (user === null) return;
      // Data of a previous user must not remain in the cache.
      queries.clear();
      const session = await queries.fetchQuery(sessionQuery);
      const landing = landingPage(next, window.location.origin);
      // The cookie of the choice is there already; a page changes its language only by loading.
      if (session !== null && session.language !== null && session.language !== pageWords().language)
        window.location.assign(landing ?? homeOf(user));
      else if (landing === null) await navigate({ to: homeOf(user) });
      else router.history.push(landing);
    } catch (error) {
      setFault(error as Error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Form onSend={() => void signIn()}>
      <Field
        label={say("Email")}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label={say("Password")}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {code !== null && (
        <Field
          label={say("Code")}
          hint={say("Six digits from your authenticator app, or a recovery code.")}
          autoComplete="one-time-code"
          ref={(input) => input?.focus()}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      {fault !== null && <Fault error={fault} />}
      <Button type="submit" look="primary" busy={busy && say("Signing in…")}>
        {say("Sign in")}
      </Button>
    </Form>
  );
};

const SingleSignOn = () => {
  const { next } = route.useSearch();
  const landing = landingPage(next, window.location.origin);
  if (useOptions()?.oidc !== true) return null;
  return (
    <a
      href={`/auth/oidc/start${landing === null ? "" : `?next=${encodeURIComponent(landing)}`}`}
      className="mt-3 flex min-h-9 items-center justify-center rounded-lg text-sm font-medium ring-1 ring-line hover:bg-sunken"
    >
      {say("Sign in with single sign-on")}
    </a>
  );
};
