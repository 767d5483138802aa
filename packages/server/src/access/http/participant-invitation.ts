import { auth } from "@curtail/contract";
import cookie from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HttpError, refused } from "../../platform/http/error-replies.js";
import { page, privateHeaders, wantsHtml } from "../../platform/http/one-time-page.js";
import { isFromOwnPage } from "../../platform/http/same-site.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS, type User } from "../domain/user.js";
import { acceptFirstInvitation, acceptInvitation } from "../operations/invite-users.js";
import type { NoteRefused } from "../operations/note-refused.js";
import { startSession } from "../operations/sign-in.js";
import type { SessionRoutePorts } from "./session-check.js";
import { browserOf, setSignedInCookies } from "./session-cookie.js";

interface InvitationRoute {
  Params: { token: string };
}

/** A form behind a one-time link. */
interface Form<B> {
  readonly path: string;
  readonly schema: object;
  readonly fields: string;
  readonly accept: (token: string, body: B) => Promise<Result<User>>;
  readonly noteRefused: NoteRefused;
  /** Signs the user in, if the request is from the form itself; returns whether it did. */
  readonly enter: (request: FastifyRequest, reply: FastifyReply, user: User) => Promise<boolean>;
}

/** One-time links that set a password. As with keys, the first page reveals nothing about the link. */
export const invitationRoutes = (scope: FastifyInstance, ports: SessionRoutePorts): void => {
  scope.register(async (app) => {
    await app.register(cookie);
    const { noteRefused } = ports;
    const enter = entering(ports);
    serveForm<auth.AcceptInvitation>(app, {
      noteRefused,
      enter,
      path: "/invitation/:token",
      schema: auth.AcceptInvitation,
      fields: passwordField,
      accept: (token, { password }) => acceptInvitation(ports, token, password),
    });
    serveForm<auth.AcceptFirstInvitation>(app, {
      noteRefused,
      enter,
      path: "/first-user/:token",
      schema: auth.AcceptFirstInvitation,
      fields: personFields + passwordField,
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

const serveForm = <B>(app: FastifyInstance, { path, schema, fields, accept, noteRefused, enter }: Form<B>): void => {
  const form = `<form method="post">${fields}<button>Set the password</button></form>`;
  app.get(path, async (_request, reply) => formPage(reply, 200, form));

  app.post<InvitationRoute>(path, { schema: { body: schema }, attachValidation: true }, async (request, reply) => {
    // Set before anything can fail: errors must not be cached either.
    reply.headers(formHeaders);
    const accepted = await checked(request, () => accept(request.params.token, request.body as B));
    if (accepted instanceof HttpError) {
      if (accepted.status === 404) noteRefused({ kind: "invitation", address: request.ip, userId: null });
      return refuse(request, reply, { error: accepted, form });
    }
    if (!wantsHtml(request)) return reply.send({ email: accepted.email });
    if (await enter(request, reply, accepted)) return reply.redirect("/", SEE_OTHER);
    return formPage(reply, 200, '<p>Password set. You can now <a href="/sign-in">sign in</a>.</p>');
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

interface Refused {
  readonly error: HttpError;
  readonly form: string;
}

const refuse = (request: FastifyRequest, reply: FastifyReply, { error, form }: Refused) => {
  if (!wantsHtml(request)) throw error;
  const message = `<p role="alert">${escaped(error.message)}</p>`;
  return formPage(reply, error.status, error.status === 400 ? message + form : message);
};

const formPage = (reply: FastifyReply, status: number, body: string) =>
  page(reply, { status, title, body, headers: formHeaders });

/** Over plain http, only `Origin` says that a form is ours; without any referrer, browsers send `null` for it. */
const formHeaders = { ...privateHeaders, "referrer-policy": "same-origin" };

const SEE_OTHER = 303;

const unread = new HttpError(400, "the request could not be read");

/** A message may quote what was sent. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const title = "Welcome to Curtail";

const gone = "This link is not valid: it has been used or has expired. Ask the person who sent it for a new one.";

const personFields = `<label>Email <input name="email" type="email" autocomplete="username" required></label>
<label>Name <input name="name" autocomplete="name" required></label>`;

const passwordField = `<label>Password, at least ${MIN_PASSWORD_CHARACTERS} characters
<input name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_CHARACTERS}"
maxlength="${MAX_PASSWORD_CHARACTERS}" required></label>`;
