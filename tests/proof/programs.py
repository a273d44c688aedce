"""Which write of programs does what a page's POST does.

A route that is not named here has its write under the same name. A new page that changes something
has one, or stands among those that stay with the browser, with the reason.
"""

COUNTERPARTS = {
    # A page takes several steps to what a program sends at once.
    **dict.fromkeys(
        ["imports:import", "imports:check", "imports:start", "imports:clear"], "import-files"
    ),
    "datasets:people": "add-members",
    "datasets:set-programs": "change-programs",
    "datasets:set-scoring-guard": "change-scoring-guard",
    "datasets:runs": "upload-runs",
    "datasets:run": "change-system",
    "datasets:judgments": "upload-judgments",
    "datasets:judgment-set": "change-judgments",
    "annotation:lead-link": "invite-first-lead",
    "annotation:details": "change-details",
    "annotation:set-sign-in-rules": "change-sign-in-rules",
    "annotation:edit-scheme": "edit-wording",
    "annotation:given-pairs": "hand-out-given",
    "annotation:plan": "apply-plan",
    "annotation:samples": "draw-sample",
    "imports:runs-pool": "make-pool",
    "annotation:new-query": "write-query",
    "annotation:change-aspect": "edit-aspect",
    "adjudication:decide-pair": "decide",
    "adjudication:audit-pair": "decide-audit-pair",
    "agreement:audits": "draw-audit",
    "evaluation:mappings": "add-mapping",
    "evaluation:mapping": "change-mapping",
    "evaluation:protocol": "change-protocol",
    "releases:exports": "make-export",
    "webhooks:hooks": "add-hook",
    "webhooks:hook": "change-hook",
    "webhooks:remove": "remove-hook",
}

SIGNING_IN = "signing in, and what belongs to an account"
TOKENS = "tokens are made and revoked by people who are signed in"
SITE = "a site admin's token creates collections and names their first leads, and nothing else"
BROWSER_ONLY = {
    **dict.fromkeys(
        [
            "accounts:sign-in",
            "accounts:sign-in-code",
            "accounts:sign-out",
            "accounts:password-change",
            "accounts:password-reset",
            "accounts:password-set",
            "accounts:settings",
            "accounts:save-display",
            "accounts:begin-second-factor",
            "accounts:confirm-second-factor",
            "accounts:recovery-codes",
            "accounts:turn-off-second-factor",
            "accounts:set-up",
            "datasets:accept-invitation",
        ],
        SIGNING_IN,
    ),
    **dict.fromkeys(
        [
            "accounts:deactivate",
            "accounts:reactivate",
            "accounts:sign-out-everywhere",
            "accounts:remove-second-factor",
            "accounts:reset-link",
        ],
        SITE,
    ),
    **dict.fromkeys(["datasets:tokens", "datasets:admin-tokens", "datasets:revoke-token"], TOKENS),
}
