import { auth } from "@curtail/contract";
import cookie from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { escaped } from "../../platform/escaped-html.js";
import { HttpError, refused } from "../../platform/http/error-replies.js";
import { page, privateHeaders, wantsHtml } from "../../platform/http/one-time-page.js";
import { pageWords } from "../../platform/http/page-language.js";
import { isFromOwnPage } from "../../platform/http/same-site.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { saidHtml } from "../../platform/said-html.js";
import { english, saidRefusal, type Words } from "../../platform/words.js";
import type { SessionRoutePorts } from "../caller/session-check.js";
import { browserOf, setSignedInCookies } from "../caller/session-cookie.js";
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS, type User } from "../domain/user.js";
import { acceptFirstInvitation, acceptInvitation } from "../operations/invite-users.js";
import type { NoteRefused } from "../operations/note-refused.js";
import { startSession } from "../operations/sign-in.js";

interface InvitationRoute {
  Params: { token: string };
}

/** A form behind a one-time link. */
interface Form<B> {
  readonly path: string;
  readonly schema: object;
  readonly fields: (words: Words) => string;
  readonly accept: (token: string, body: B) => Promise<Result<User>>;
  readonly noteRefused: NoteRefused;
  /** Its name. */
  readonly service: string;
  /** Signs the user in, if the request is from the form itself; returns whether it did. */
  readonly enter: (request: FastifyRequest, reply: FastifyReply, user: User) => Promise<boolean>;
}

/** One-time links that set a password. As with keys, the first page reveals nothing about the link. */
export const invitationRoutes = (scope: FastifyInstance, ports: SessionRoutePorts, service: string): void => {
  scope.register(async (app) => {
    await app.register(cookie);
    const { noteRefused } = ports;
    const enter = entering(ports);
    serveForm<auth.AcceptInvitation>(app, {
      noteRefused,
      enter,
      service,
      path: "/invitation/:token",
      schema: auth.AcceptInvitation,
      fields: passwordField,
      accept: (token, { password }) => acceptInvitation(ports, token, password),
    });
    serveForm<auth.AcceptFirstInvitation>(app, {
      noteRefused,
      enter,
      service,
      path: "/first-user/:token",
      schema: auth.AcceptFirstInvitation,
      fields: (words) => personFields(words) + passwordField(words),
      accept: (token, body) => acceptFirstInvitation(ports, token, body),
    });
  });
};

/** A page of another site must not sign somebody in as another user. */
const entering =
  (ports: SessionRoutePorts) =>
  async (request: FastifyRequest, reply: FastifyReply, { email }: User): Promise<boolean> => {
    if (!isFromOwnPage(request, ports.publicUrl)) return false;
    const record = await ports.stores.users.findByEmail(email);
    const started = record === null ? null : await startSession(ports, { record }, browserOf(request, ports.publicUrl));
    if (started === null) return false;
    setSignedInCookies(reply, started, ports.publicUrl);
    return true;
  };

const serveForm = <B>(app: FastifyInstance, given: Form<B>): void => {
  const { path, schema, fields, accept, noteRefused, enter, service } = given;
  const form = (words: Words): string =>
    `<form method="post">${fields(words)}<button>${saidHtml(words, english("Set the password"))}</button></form>`;
  app.get(path, async (request, reply) => formPage(request, reply, { service, status: 200, body: form }));

  app.post<InvitationRoute>(path, { schema: { body: schema }, attachValidation: true }, async (request, reply) => {
    // Set before anything can fail: errors must not be cached either.
    reply.headers(formHeaders);
    const accepted = await checked(request, () => accept(request.params.token, request.body as B));
    if (accepted instanceof HttpError) {
      if (accepted.status === 404) noteRefused({ kind: "invitation", address: request.ip, userId: null });
      return refuse(request, reply, { service, error: accepted, form });
    }
    if (!wantsHtml(request)) return reply.send({ email: accepted.email });
    if (await enter(request, reply, accepted)) return reply.redirect("/", SEE_OTHER);
    return formPage(request, reply, { service, status: 200, body: signInHtml });
  });
};

const checked = async (
  { validationError }: Pick<FastifyRequest, "validationError">,
  accept: () => Promise<Result<User>>,
): Promise<User | HttpError> => {
  if (validationError !== undefined) return validationError instanceof HttpError ? validationError : unread;
  const accepted = await accept();
  if (!isRefusal(accepted)) return accepted;
  return accepted.code === "not_found" ? new HttpError(404, gone) : refused(accepted);
};

const SIGN_IN = english("Password set. You can now <link>sign in</link>.");

const signInHtml = (words: Words): string =>
  `<p>${saidHtml(words, SIGN_IN, { link: (inside) => `<a href="/sign-in">${inside}</a>` })}</p>`;

interface Refused {
  readonly service: string;
  readonly error: HttpError;
  readonly form: (words: Words) => string;
}

const refuse = (request: FastifyRequest, reply: FastifyReply, { service, error, form }: Refused) => {
  if (!wantsHtml(request)) throw error;
  const body = (words: Words): string => {
    const message = `<p role="alert">${refusalHtml(words, error)}</p>`;
    return error.status === 400 ? message + form(words) : message;
  };
  return formPage(request, reply, { service, status: error.status, body });
};

/** Refusals of the interface are English; one that is not known is told as what a password needs. */
const refusalHtml = (words: Words, { status, message }: HttpError): string => {
  if (status === 404) return saidHtml(words, gone);
  const said = saidRefusal(words, message);
  if (said !== null || words.language === "en" || status !== 400) return escaped(said ?? message);
  return saidHtml(words, NOT_ACCEPTED, { least: MIN_PASSWORD_CHARACTERS, most: MAX_PASSWORD_CHARACTERS });
};

const NOT_ACCEPTED = english("Not accepted. A password has {least} to {most} characters and is not the email address.");

interface Shown {
  readonly service: string;
  readonly status: number;
  readonly body: (words: Words) => string;
}

const formPage = (request: FastifyRequest, reply: FastifyReply, { service, status, body }: Shown) => {
  const words = pageWords(request);
  const title = words.say("Welcome to {service}", { service });
  return page(reply, words, { status, title, body: body(words), headers: formHeaders });
};

/** Over plain http, only `Origin` says that a form is ours; without any referrer, browsers send `null` for it. */
const formHeaders = { ...privateHeaders, "referrer-policy": "same-origin" };

const SEE_OTHER = 303;

const unread = new HttpError(400, "the request could not be read");

const gone = english(
  "This link is not valid: it has been used or has expired. Ask the person who sent it for a new one.",
);

const personFields = (words: Words): string =>
  `<label>${saidHtml(words, english("Email"))} <input name="email" type="email" autocomplete="username" required></label>
<label>${saidHtml(words, english("Name"))} <input name="name" autocomplete="name" required></label>`;

const PASSWORD = english("Password, at least {n} characters");

const passwordField = (words: Words): string =>
  `<label>${saidHtml(words, PASSWORD, { n: MIN_PASSWORD_CHARACTERS })}
<input name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_CHARACTERS}"
maxlength="${MAX_PASSWORD_CHARACTERS}" required></label>`;
