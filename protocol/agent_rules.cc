#include "protocol/agent_rules.h"

#include <boost/json/parse.hpp>
#include <string_view>

#include "protocol/agent_json.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;

constexpr std::string_view kMarkdown = R"(# Playing a game of Go through this daemon

You hold a match ticket. Send it with every call as `Authorization: Bearer TICKET`. This page is about
the game that the ticket opens, and nothing else.

## The game

- The board has 19 columns and 19 rows. `x` counts columns from the left, `y` counts rows from the
  top, both from 0 to 18. A cell of `observation.board` is read as `board[y][x]`: 0 is empty, 1 a black
  stone, 2 a white one. (0, 0) is A19 for a Go program, (18, 18) is T1.
- Two numbers are easily mixed up. `seat` at the top of the view is your place in the match, 1 or 2.
  `role` is your colour, `black` or `white`, or `null` before the start. Colours are drawn at random,
  so place 1 may well be white. Everywhere else a seat is a colour.
- Black has the first move, and the sides take turns.
- A stone goes on an empty point. Chains of the other side that are left without a liberty come off.
- A stone that would then have no liberty itself may not be placed.
- A position never comes twice: no placement may bring back a board that has stood before in this
  game, the empty one included.
- You may pass instead. A second pass in a row ends the game on the spot.
- The count is by area: a side has its stones and the empty regions that only its stones border; white
  gets a komi of 7.5. A region that borders both colours is nobody's. Captured stones count for
  nothing more.
- What is on the board at the end lives. Nobody removes dead stones for you: take them before you pass.

## A turn, step by step

1. Look at `status` and `yourTurn`. With `ended` you are finished; if it is not your turn, wait.
2. Look at `events`: is a chain of yours in atari? Saving it, taking what attacks it, or giving it up
   are the choices.
3. Is there something of the other side to take? Then look over all of the board, not just here.
4. Pick from a few candidates. That a move is in `legalActions` says that it may be played, no more.
5. Ask a query where you need a fact. None of them chooses a move.
6. Send one of the `legalActions` as it is. Pass only if you can live with the game ending now.

## GET /v1/view

- `observation` is the position: `toMove` (null after the end), `lastMove`, `consecutivePasses`,
  `captures` (stones taken so far, by the side that took them), and `scores`, null until two passes
  have ended the game. `observationSchema` describes this part of the view only.
- `legalActions` has every act you may send now; off turn it is empty.
- `events` tells what recent moves did. `relation` is `self` for your own latest move, or `other` for
  the latest move of the other side that did anything, even if it lies some moves back. `actor` is
  the side that moved.
  - `capture`: `data.stones` have come off.
  - `atari`: the chain `data.stones` of colour `data.seat` has one liberty left, `data.liberties`. It
    can be your own chain.
  - `pass`: the actor passed.
- `lastActionResult.accepted` says whether your own latest act was taken; it is absent before the
  first one.
- `ended` has the `reason` (`score`, `leave`, `resign`, `timeout`, `departure`, `annulled`), the colour
  that won as `winnerSeat`, and the `standings`: points after two passes, else 1 for the winner and 0
  for the loser.

## POST /v1/act

The body is one act: `{"type": "place", "x": 15, "y": 3}` or `{"type": "pass"}`. An act that is not
legal gets status 400 with `legalActions` as they are now. Read the view again then; do not guess.

## POST /v1/wait

Answers with the view when it is your turn or the game has ended, at the latest after
`{"timeoutSeconds": N}`, 1 to 30 and usually 8.

## POST /v1/query

The body is `{"name": NAME, "args": {...}}`. Queries are free: they take no turn and change nothing.

- `estimate_score` counts the area of the board as it is. With `dead` it counts as if exactly those
  points were empty; a chain of which you name one stone keeps the others. Which stones are dead is
  your assumption, not the daemon's.
- `group_liberties` lists chains with their stones and liberties: all of them, or the one at `x`, `y`
  (none if that point is empty).
- `neighborhood` cuts out the square around `x`, `y` as far as `radius` (1 to 4, usually 2), less at
  the edge. `cells[j][i]` is the point (`x0` + i, `y0` + j).

## POST /v1/leave

You give the game up: the other side wins, and `ended.reason` is `leave`.
)";

constexpr std::string_view kActSchema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:tengen:agent:go-act",
  "title": "GoAct",
  "oneOf": [
    {"type": "object", "additionalProperties": false, "required": ["type", "x", "y"], "properties": {
      "type": {"const": "place"},
      "x": {"type": "integer", "minimum": 0, "maximum": 18},
      "y": {"type": "integer", "minimum": 0, "maximum": 18}}},
    {"type": "object", "additionalProperties": false, "required": ["type"], "properties": {
      "type": {"const": "pass"}}}
  ]
})";

constexpr std::string_view kObservationSchema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:tengen:agent:go-observation",
  "title": "GoObservation",
  "type": "object",
  "additionalProperties": false,
  "required": ["kind", "rulesVersion", "size", "komi", "board", "toMove", "lastMove",
               "consecutivePasses", "captures", "scores"],
  "properties": {
    "kind": {"const": "go"},
    "rulesVersion": {"const": "go-chinese-19-0.3"},
    "size": {"const": 19},
    "komi": {"const": 7.5},
    "board": {"type": "array", "minItems": 19, "maxItems": 19, "items": {
      "type": "array", "minItems": 19, "maxItems": 19, "items": {
        "type": "integer", "enum": [0, 1, 2]}}},
    "toMove": {"type": ["string", "null"], "enum": ["black", "white", null]},
    "lastMove": {"oneOf": [
      {"type": "object", "additionalProperties": false, "required": ["type", "x", "y", "seat"],
       "properties": {
        "type": {"const": "place"},
        "x": {"type": "integer", "minimum": 0, "maximum": 18},
        "y": {"type": "integer", "minimum": 0, "maximum": 18},
        "seat": {"type": "string", "enum": ["black", "white"]}}},
      {"type": "object", "additionalProperties": false, "required": ["type", "seat"], "properties": {
        "type": {"const": "pass"},
        "seat": {"type": "string", "enum": ["black", "white"]}}},
      {"type": "null"}]},
    "consecutivePasses": {"type": "integer", "minimum": 0},
    "captures": {"type": "object", "additionalProperties": false, "required": ["black", "white"],
      "properties": {
        "black": {"type": "integer", "minimum": 0},
        "white": {"type": "integer", "minimum": 0}}},
    "scores": {"oneOf": [
      {"type": "object", "additionalProperties": false, "required": ["black", "white"],
       "properties": {"black": {"type": "number"}, "white": {"type": "number"}}},
      {"type": "null"}]}
  }
})";

constexpr std::string_view kQueries = R"({
  "estimate_score": {
    "description": "Area of the board as it stands, komi included. The points in `dead` count as empty, one by one. Says nothing of life, of the winner or of moves to come.",
    "parametersSchema": {"type": "object", "additionalProperties": false, "properties": {
      "dead": {"type": "array", "items": {
        "type": "object", "additionalProperties": false, "required": ["x", "y"], "properties": {
          "x": {"type": "integer", "minimum": 0, "maximum": 18},
          "y": {"type": "integer", "minimum": 0, "maximum": 18}}}}}},
    "resultSchema": {"type": "object", "required": ["black", "white", "komi", "method"],
      "properties": {
        "black": {"type": "number"},
        "white": {"type": "number"},
        "komi": {"type": "number"},
        "method": {"type": "string", "enum": ["area_all_alive", "area_with_dead"]}}}
  },
  "group_liberties": {
    "description": "Chains with their colour, stones and liberties: every one, or with x and y the one on that point (none where it is empty).",
    "parametersSchema": {"type": "object", "additionalProperties": false,
      "dependentRequired": {"x": ["y"], "y": ["x"]},
      "properties": {
        "x": {"type": "integer", "minimum": 0, "maximum": 18},
        "y": {"type": "integer", "minimum": 0, "maximum": 18}}},
    "resultSchema": {"type": "object", "required": ["groups"], "properties": {
      "groups": {"type": "array"}}}
  },
  "neighborhood": {
    "description": "The part of the board within `radius` (1 to 4, 2 if absent) of x and y, as rows of 0, 1 and 2 from (x0, y0) on; smaller at an edge. A cut-out of the board, no judgement.",
    "parametersSchema": {"type": "object", "additionalProperties": false, "required": ["x", "y"],
      "properties": {
        "x": {"type": "integer", "minimum": 0, "maximum": 18},
        "y": {"type": "integer", "minimum": 0, "maximum": 18},
        "radius": {"type": "integer", "minimum": 1, "maximum": 4}}},
    "resultSchema": {"type": "object",
      "required": ["x0", "y0", "width", "height", "cx", "cy", "cells"],
      "properties": {
        "x0": {"type": "integer"},
        "y0": {"type": "integer"},
        "width": {"type": "integer"},
        "height": {"type": "integer"},
        "cx": {"type": "integer"},
        "cy": {"type": "integer"},
        "cells": {"type": "array", "items": {"type": "array", "items": {
          "type": "integer", "enum": [0, 1, 2]}}}}}
  }
})";

}  // namespace

std::string agent_rules_json() {
  return json_text(json::object{{"slug", "go"},
                                {"rulesVersion", kAgentRules},
                                {"markdown", kMarkdown},
                                {"actSchema", json::parse(kActSchema)},
                                {"observationSchema", json::parse(kObservationSchema)},
                                {"queries", json::parse(kQueries)}});
}

}  // namespace tengen::protocol
