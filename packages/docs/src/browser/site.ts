import { addCopyButtons } from "./copy.js";
import { followOutline } from "./outline.js";
import { offerSearch } from "./search-dialog.js";
import { offerThemes } from "./theme.js";

offerThemes();
addCopyButtons();
followOutline();
offerSearch();
// The open page is in view in a long list.
document.querySelector("#side [aria-current]")?.scrollIntoView({ block: "nearest" });
