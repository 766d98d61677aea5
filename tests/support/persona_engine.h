// An engine of each kind that is imitated, for the tests of the imitations.
#pragma once

#include "tests/support/scripted_engine.h"

namespace tengen::tests {

inline constexpr Persona kReal[] = {Persona::GnuGo, Persona::LeelaZero, Persona::Pachi,
                                    Persona::KataGo, Persona::Bare};

inline ScriptedEngine engine_of(Persona persona) {
  Script script;
  script.persona = persona;
  return ScriptedEngine(script);
}

}  // namespace tengen::tests
