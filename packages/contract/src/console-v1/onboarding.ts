import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { SiteOnboarding } from "../operator-v1/onboarding.js";

export const listOwnOnboarding = endpoint({
  id: "listOwnOnboarding",
  method: "GET",
  path: "/onboarding",
  tag: "Onboarding",
  summary: "List the onboarding of your sites",
  description:
    "Returns which steps to production are complete for each site, and what is missing. Results of a test dispatch are null while the data of the site is not visible to you.",
  query: PageQuery,
  reply: pageOf(SiteOnboarding),
});
