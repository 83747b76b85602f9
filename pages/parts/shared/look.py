"""The few rules of style that the theme has no setting for. Constant; nothing from data comes in."""

from __future__ import annotations

import streamlit as st

from treeline.pages.parts.workbench.team.style import BOARD_STYLE

_STYLE = (
    f"<style>{BOARD_STYLE}</style>"
    + """
<style>
.stMainBlockContainer { padding: 2.1rem 1rem 0.4rem 1rem; }
/* An address says who somebody is; it is nothing to click. */
a[href^="mailto:"] { color: inherit !important; text-decoration: none !important; pointer-events: none; }
.stAppHeader { height: 2rem; min-height: 2rem; background: transparent; }
[data-testid="stStatusWidget"] { display: none; }
[data-stale="true"] { opacity: 1 !important; transition: none !important; }
/* The last answer stands until the page is drawn; where that takes long, it must not pass for the new one. */
.st-key-answer [data-stale="true"] { opacity: 0.35 !important; transition: opacity 0.2s 1s !important; }
[data-testid="stSidebarHeader"] { height: 2rem; padding-bottom: 0; margin-bottom: 0; }
[data-testid="stSidebarUserContent"] { padding-bottom: 1rem; }
/* Read aloud, not seen. */
.stElementContainer:has(.unseen),
[data-testid="stLayoutWrapper"]:has(
  > :is(.st-key-announcer, .st-key-scroller, .st-key-returner, .st-key-theme-watch, .st-key-menu-links,
  .st-key-history-stops,
  [class*="st-key-typed-tool-"])) {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
/* What a button is for, nobody asks whose menu is open; it would lie over that. */
body:has([data-testid="stPopoverButton"][aria-expanded="true"]:is(:hover, :focus-visible))
  [data-testid="stTooltipContent"] { display: none; }
[data-testid="stLayoutWrapper"]:has(> :is(.st-key-tour, .st-key-tree-keys-box)) {
  position: absolute; width: 0; height: 0; }
/* The colour of the theme is one to write on, and too dark to write with. */
[data-selected="true"] p, [data-testid="stSliderThumbValue"] p { color: CanvasText; }
[data-testid="stCaptionContainer"] code { color: inherit; }
button[kind="tertiary"] p { text-align: left; }
[data-testid="stBaseButton-elementToolbar"]:focus-visible { outline: 2px solid currentColor; }
[data-testid="stColumn"]:has([class*="st-key-beside-nothing"]) { display: none; }
/* In a narrow window the buttons go below: a question and three strategies are to be read. */
.st-key-compare-row > :nth-child(-n+2) { min-width: 26rem; }
/* Above its table it lies over what stands there, and takes the clicks of who comes from the table. */
.stDataFrame [data-testid="stElementToolbar"] { top: auto !important; bottom: 0; }
.stTabs [role="tabpanel"] { padding-top: 0.25rem; }
.st-key-steps summary, .st-key-steps summary p { color: inherit; opacity: 1; }
/* The Workbench fills the window; the widgets are given their heights for one of 900 px. */
.stMain { --room: 100vh; }
.stMain:has(.st-key-stepping-row) { --room: calc(100vh - 4px); }
[data-testid="stLayoutWrapper"]:has(> .st-key-steps) {
  flex-basis: auto !important; height: max(200px, calc(var(--room) - 416px)) !important; }
.stMain:has(.st-key-team-part-row) [data-testid="stLayoutWrapper"]:has(> .st-key-steps) {
  flex-basis: auto !important; height: max(200px, calc(var(--room) - 460px)) !important; }
[data-testid="stLayoutWrapper"]:has(> .st-key-team-box) {
  flex-basis: auto !important; height: max(440px, calc(var(--room) - 126px)) !important; }
.st-key-map-box iframe { height: max(280px, calc(446px + (var(--room) - 900px) * 0.85)) !important; }
[data-testid="stLayoutWrapper"]:has(> .st-key-answer) {
  flex-basis: auto !important; height: max(150px, calc(252px + (var(--room) - 900px) * 0.15)) !important; }
[data-testid="stLayoutWrapper"]:has(> .st-key-lesson-box) {
  flex-basis: auto !important; height: max(240px, calc(var(--room) - 402px)) !important; }
[data-testid="stLayoutWrapper"]:has(> .st-key-lesson-step) {
  flex-basis: auto !important; height: max(150px, calc(230px + (var(--room) - 900px) * 0.15)) !important; }
.st-key-cost-row { flex-wrap: nowrap !important; min-height: 2.55rem; }
.st-key-cost-row > * { min-width: 0; flex-shrink: 0; }
.st-key-cost-row > :first-child { flex-shrink: 1; }
.st-key-cost-row > .st-key-card-of-run { flex-shrink: 1000; }
[data-testid="stLayoutWrapper"]:has(> .st-key-ask-box) { order: 1; }
.st-key-ask-row { flex-wrap: nowrap !important; }
.st-key-ask-row > :has([data-testid="stForm"]) { order: 1; }
/* Pause stands before the question: Ask must not give its place to it under a double click. */
.st-key-ask-row > :is(.st-key-stop, .st-key-resume) { order: 2; }
.st-key-ask-row > * { flex-shrink: 0; }
/* It would stand over the question's own words. */
.st-key-ask-row [data-testid="InputInstructions"] { display: none; }
.st-key-ask-row > .st-key-editing { flex-shrink: 1000; min-width: 5rem; overflow: hidden; }
.st-key-ask-row > .st-key-editing p {
  min-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.st-key-ask-row > :has([data-testid="stForm"]) { flex-shrink: 1; min-width: 15rem; }
.st-key-map-controls { flex-wrap: nowrap !important; }
.st-key-map-controls > * { min-width: 0 !important; }
.st-key-map-controls > :not(:first-child) { flex-shrink: 0; }
/* However long a question is, what is answered to it stays in sight. */
.st-key-answer > :first-child p {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden;
  overflow-wrap: anywhere; }
/* In a narrow window the buttons beside the layer are icons; what they are called is still read out. */
@media (max-width: 1180px) {
  .st-key-map-controls > :not(:first-child) button p,
  .st-key-cost-row > .st-key-card-of-run button p,
  .st-key-lesson-bar button p,
  .st-key-ask-row [data-testid="stPopover"] button p {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .st-key-ask-row > .st-key-editing { max-width: 9rem; }
  .st-key-tree-box svg text { font-size: 10px !important; }
  /* A narrow map is no better for being high; the answer needs the room. */
  .st-key-map-box iframe { height: max(240px, calc(420px + (var(--room) - 900px) * 0.85)) !important; }
  [data-testid="stLayoutWrapper"]:has(> .st-key-answer) {
    height: max(190px, calc(278px + (var(--room) - 900px) * 0.15)) !important; }
  /* The chart comes below the answer, whose words would have no room beside it. */
  .st-key-answer [data-testid="stColumn"] { flex: 1 1 100% !important; min-width: 0; }
  .st-key-answer > :first-child p { display: block; white-space: nowrap; text-overflow: ellipsis; }
}
/* As high as the hint that stands there before a click. */
.st-key-map-click { flex-wrap: nowrap !important; max-height: 1.4rem; overflow: hidden; }
.st-key-map-click > * { min-width: 0; }
.st-key-map-click > :first-child:not(:last-child) { flex-shrink: 1; }
.st-key-map-click > :last-child { flex-shrink: 0; }
.st-key-map-click button { min-height: 1.4rem; padding-top: 0; padding-bottom: 0; }
.st-key-cost-row p, .st-key-map-hint p, .st-key-map-click p {
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
/* The form of a call stands in a box already. */
.st-key-proposal [data-testid="stExpander"] [data-testid="stForm"] { border: 0; padding: 0; }
/* Of a mask of a clear day nothing but the edge is seen. */
.st-key-band-preview img { outline: 1px solid #8886; outline-offset: -1px; }
/* What is wrong with a question stands over the page, which would jump otherwise. */
.stMainBlockContainer { position: relative; }
[data-testid="stLayoutWrapper"]:has(> .st-key-problems) {
  position: absolute; left: 0; right: 0; bottom: 3.6rem; z-index: 90; padding: 0 1rem; pointer-events: none; }
.st-key-problems .stAlert { background: var(--background-color, Canvas); pointer-events: auto; }
:is(.st-key-parts, .st-key-evidence, .st-key-following, .st-key-first) button {
  min-height: 1.5rem; padding-top: 0; padding-bottom: 0; }
[class*="st-key-listing"] ul {
  columns: 7.4rem; column-gap: 0.7rem; margin: 0 0 0.4rem; padding: 0; line-height: 1.4; list-style: none;
  font-variant-numeric: tabular-nums; }
[class*="st-key-listing"] li { margin: 0; padding: 0; break-inside: avoid; }
/* A reading is told in a sentence, all of which is to be read before it is chosen. */
.st-key-readings button p { white-space: normal; text-align: left; }
:is(.st-key-evidence, .st-key-following, .st-key-first) { row-gap: 0 !important; }
.st-key-tree-box { overflow-x: hidden; }
.st-key-steps [data-testid="stMarkdownContainer"] { font-variant-numeric: tabular-nums; }
</style>
"""
)


_ROW, _HEADER = 28, 31


def table_height(rows: int, most: int) -> int:
    """Return the height of a table without empty rows."""
    return min(most, _HEADER + _ROW * max(rows, 1))


def apply() -> None:
    """Apply the rules to the page."""
    add_style(_STYLE)


def add_style(style: str) -> None:
    """Add rules of style to the page, where they stay while a part of it is drawn anew.

    What is nothing but style, Streamlit puts where a message that passes takes its place: whoever pressed a
    button in a part of the page would see the rules go.
    """
    st.html(f'<i class="unseen"></i>{style}')
