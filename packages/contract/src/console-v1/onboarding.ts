import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { SiteOnboarding } from "../operator-v1/onboarding.js";

export const listOwnOnboarding = endpoint({
  id: "listOwnOnboarding",
  method: "GET",
  path: "/onboarding",
  tag: "Onboarding",
  summary: "What your sites have done and lack to be in production",
  description: "What a test delivered is null where the display of the site is not enabled.",
  query: PageQuery,
  reply: pageOf(SiteOnboarding),
});
