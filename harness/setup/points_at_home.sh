# For `source`: what a lab's tests are worth of its points, as lab.toml shares them out. A course's policy and the hidden cases are
# not known here.

# Of a part's points in lab.toml, nothing where the part or the file is missing.
points_of() {  # points_of LAB PART
  [ -f "labs/$1/lab.toml" ] || return 0
  awk -v part="$2" '/^\[/ { here = $1 == "[points]" } here && $1 == part && $2 == "=" { print $3 }' "labs/$1/lab.toml"
}

# One line where everything is right and safe: else the points hang on what is still wrong.
show_points() {  # show_points LAB SCORE "RIGHT of ALL"    score: of fast, of 100, empty where it was not measured
  local correct safe fast predict
  correct=$(points_of "$1" correct) safe=$(points_of "$1" safe) fast=$(points_of "$1" fast) predict=$(points_of "$1" predict)
  [ -n "$correct" ] && [ -n "$safe" ] && [ -n "$fast" ] && [ -n "$2" ] || return 0
  awk -v correct="$correct" -v safe="$safe" -v fast="$fast" -v score="$2" -v predict="${predict:-0}" -v answers="${3:-0 of 1}" '
    BEGIN {
      split(answers, right, " of ")
      quick = fast * score / 100
      guessed = right[2] ? predict * right[1] / right[2] : 0
      printf "worth %.4g of %.4g points here: correct %.4g, safe %.4g, fast %.3g/%.4g", correct + safe + quick + guessed,
        correct + safe + fast + predict, correct, safe, quick, fast
      if (predict) printf ", predict %.3g/%.4g", guessed, predict
      print ""
    }'
}
