/** Same as `packages/web/public/icon.svg`; the pages may not be built, and the sandbox has none. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0f766e"/><path d="M6 11h7l4 10h9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/></svg>\n';

/** Runs before the first paint. The theme chosen on the pages of this host counts, else the browser's. */
export const theme = `const dark = matchMedia("(prefers-color-scheme: dark)");
const apply = () => {
  const chosen = localStorage.getItem("theme");
  const isDark = chosen === "dark" || (chosen !== "light" && dark.matches);
  document.documentElement.classList.toggle("dark-mode", isDark);
};
apply();
dark.addEventListener("change", apply);
addEventListener("storage", apply);
`;

/** Corrects the viewer's colours that are too pale to read, and its parts that are too wide for a phone. */
export const style = `html { color-scheme: light; background: #fafafa; }
html.dark-mode { color-scheme: dark; background: #1c2022; }
body { margin: 0; }
.documentation { max-width: 1460px; margin: 0 auto; padding: 16px 20px 0; font: 600 14px sans-serif; }
.documentation a { color: #175cb8; }
.dark-mode .documentation a { color: #8fbcff; }
.swagger-ui .info a, .swagger-ui .info .url, .swagger-ui .markdown a, .swagger-ui .renderedMarkdown a { color: #175cb8; }
.swagger-ui .info .title small { background: #5b6270; }
.swagger-ui .info .title small.version-stamp { background: #4a7300; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { color: #14683f; border-color: #14683f; }
.swagger-ui .btn.authorize svg { fill: #14683f; }
.swagger-ui .parameter__in, .swagger-ui .parameter__deprecated, .swagger-ui .prop-format { color: #5b6270; }
.swagger-ui .opblock .opblock-summary .opblock-summary-method { background: #1b5fa8; }
.swagger-ui .opblock.opblock-post .opblock-summary .opblock-summary-method { background: #14683f; }
.swagger-ui .opblock.opblock-put .opblock-summary .opblock-summary-method { background: #8a4b00; }
.swagger-ui .opblock.opblock-patch .opblock-summary .opblock-summary-method { background: #0f6a62; }
.swagger-ui .opblock.opblock-delete .opblock-summary .opblock-summary-method { background: #b32020; }
.swagger-ui .opblock-body pre.microlight span[style*="211, 99, 99"] { color: #ff9b9b !important; }
.swagger-ui .json-schema-2020-12-expand-deep-button, .swagger-ui .json-schema-2020-12__attribute--muted { color: #5b6270; }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: #b32020; }
.dark-mode .swagger-ui .info a, .dark-mode .swagger-ui .info .url, .dark-mode .swagger-ui .markdown a,
.dark-mode .swagger-ui .renderedMarkdown a { color: #8fbcff; }
.dark-mode .swagger-ui .btn.authorize, .dark-mode .swagger-ui .btn.authorize span { color: #6fd49c; border-color: #6fd49c; }
.dark-mode .swagger-ui .btn.authorize svg { fill: #6fd49c; }
.dark-mode .swagger-ui .parameter__in, .dark-mode .swagger-ui .parameter__deprecated, .dark-mode .swagger-ui .prop-format,
.dark-mode .swagger-ui .json-schema-2020-12-expand-deep-button,
.dark-mode .swagger-ui .json-schema-2020-12__attribute--muted { color: #b5bcc2; }
.dark-mode .swagger-ui .parameter__name.required span, .dark-mode .swagger-ui .parameter__name.required::after { color: #ff9b9b; }
.dark-mode .swagger-ui .header-col { color: #e4e6e6; }
@media (max-width: 640px) {
  .swagger-ui .opblock-body { overflow-x: auto; }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; }
}
`;

/** The viewer sends requests to this host only: neither other hosts nor the page's policy allow more. */
export const start = `const page = document.getElementById("reference");
const isHere = ({ url }) => new URL(url, location.href).origin === location.origin;
const onlyHere = (update) => (document) => update({ ...document, servers: document.servers.filter(isHere) });
SwaggerUIBundle({
  url: page.dataset.document,
  domNode: page,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  displayRequestDuration: true,
  plugins: [{ statePlugins: { spec: { wrapActions: { updateJsonSpec: onlyHere } } } }],
});

// What the viewer leaves unnamed or nests, for those who do not see the page.
const each = (selector, mend) => page.querySelectorAll(selector).forEach(mend);
const named = (selector, name) =>
  each(selector, (part) => {
    part.setAttribute("role", "region");
    part.setAttribute("aria-label", name);
  });
const mend = () => {
  named(".information-container", "Introduction");
  named(".scheme-container", "Server and key");
  each("#servers", (select) => select.setAttribute("aria-label", "Server"));
  each("button a[href]", (link) => link.removeAttribute("href"));
  each("pre", (code) => code.setAttribute("tabindex", "0"));
  each(".responses-table[role]", (table) => table.removeAttribute("role"));
  each(".opblock-tag, .models > h4", (heading) => heading.setAttribute("aria-level", "2"));
  each(".opblock-title", (heading) => heading.setAttribute("aria-level", "3"));
};
new MutationObserver(mend).observe(page, { childList: true, subtree: true });
`;

export const page = (title: string, documentPath: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: reference</title><link rel="icon" href="/reference/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/reference/swagger-ui.css"><link rel="stylesheet" href="/reference/reference.css">
<script src="/reference/theme.js"></script></head>
<body><nav class="documentation" aria-label="Elsewhere"><a href="/docs/index.html">Documentation</a></nav><div id="reference" data-document="${documentPath}"></div>
<script src="/reference/swagger-ui-bundle.js"></script><script src="/reference/start.js"></script></body></html>
`;
