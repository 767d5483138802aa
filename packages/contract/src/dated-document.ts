import { datedEndpoint } from "./dated-endpoint.js";
import { type DatedVersion, sentenceWordingOf } from "./dated-version.js";
import { aboutDispatches, aboutTimes, type DocumentAddresses, serversOf } from "./documents.js";
import { openApiDocument } from "./openapi.js";
import { VERSION } from "./v2022-04-15/endpoints.js";
import { aboutNotifications, datedNotification, notifications } from "./v2022-04-15/notification.js";

/**
 * OpenAPI document of an earlier version of the participants' interface.
 *
 * @param environment default: production, which has no scenarios
 */
export const datedDocument = (
  version: DatedVersion,
  environment: keyof DocumentAddresses = "production",
  addresses?: DocumentAddresses,
) =>
  openApiDocument({
    title: environment === "sandbox" ? "Curtail sandbox" : "Curtail",
    version: version.date,
    description: aboutVersion(version),
    basePath: `/${version.date}`,
    security: { name: "apiKey", scheme: { type: "http", scheme: "bearer", description: "API key of the account." } },
    endpoints: version.endpoints
      .filter(({ path }) => environment === "sandbox" || !path.startsWith("/scenarios"))
      .map((each) => datedEndpoint(version, each))
      .filter((each) => each !== null),
    ...serversOf(
      addresses,
      environment === "sandbox" ? ["sandbox", "production"] : ["production", "sandbox"],
      version.date,
    ),
    hasRateLimits: true,
    notifications: notifications.map((each) => datedNotification(version, each)),
  });

const aboutVersion = (
  version: DatedVersion,
): string => `Version ${version.date} of the participants' interface, for systems that were built for it. Build new systems for the
current version, ${VERSION}.

## Keys

Every request carries an API key of the account: \`Authorization: Bearer KEY\`. The operator issues keys through one-time links.

${sentenceWordingOf(version)(aboutDispatches)}

${aboutTimes}

${aboutNotifications}`;
