/* A save that was based on another version than the stored one: both are shown, the person picks. */

import { dialogOf } from "../core/dom.js";

export const versionsDialog = dialogOf("versions-dialog");

/** @param {import("../core/sender.js").Refusal} refusal */
export function showVersions({ fragment, status }) {
  const versions = fragment.getElementById("versions");
  if (status !== 409 || !versions) return false;
  document.getElementById("versions-body").replaceChildren(document.adoptNode(versions));
  window.facetwise.openDialog("versions-dialog");
  return true;
}

export function hideVersions() {
  versionsDialog.close();
}
