/// The characters of labels that look like others: a part of confusables.txt of Unicode TR39,
/// version 17.0.0 (SHA-256 ec88ecebcf89f63f813d460842b0cf8322744b40a0b2c06f88a2cea48c0351ea).
///
/// It has the alphabets whose letters look alike (Latin, Greek, Cyrillic, Armenian), combining
/// marks and general punctuation. A composed letter has the row of its decomposed form. Letters of
/// other scripts need no row, because a label has letters of one script.
enum Confusables {
    /// Maps each character to the text that it looks like.
    static let prototypes: [Unicode.Scalar: String] = {
        var rows: [Unicode.Scalar: String] = [:]
        // By scalars: a mark after a letter belongs to the same Character.
        for row in text.unicodeScalars.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            guard let scalar = row.first else { continue }
            rows[scalar] = String(String.UnicodeScalarView(row.dropFirst()))
        }
        return rows
    }()

    /// The text with each character replaced by what it looks like. Texts that look alike have
    /// canonically equivalent results, which `==` of `String` treats as equal.
    static func prototype(of text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if let prototype = prototypes[scalar] {
                result += prototype
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Rows of a character and what it looks like, separated by white space.
    private static let text = """
        \"'' %º/₀ 0O 1l Il `' mrn |l ¢c̸ ¥Y̵ ¯ˉ ´' µμ ¸, ÆAE ÇC̦ Ìl̀ Íĺ Îl̂ Ïl̈ ÐD̵ ×x ØO̸ æae çc̦
        ð∂̵ øo̸ þp ČC̆ čc̆ ĎD̆ ďd̆ ĐD̵ đd̵ ĚĔ ěĕ ĢG̦ ģg̦ ĦH̵ ħh̵ Ĩl̃ Īl̄ Ĭl̆ Įl̨ İl̇ ıi ĲlJ ĳij ĶK̦
        ķk̦ ĻL̦ ļl̦ ĽL̆ ľl̆ Ŀl· ŀl· ŁL̸ łl̸ ŅN̦ ņn̦ ŇN̆ ňn̆ ŉ'n ŋn̩ ŒOE œoe ŖR̦ ŗr̦ ŘR̆ řr̆ ŞȘ şș
        ŠS̆ šs̆ ŢȚ ţț ŤT̆ ťt̆ ŦT̵ ŧt̵ ŽZ̆ žz̆ ſf ƀb̵ Ɓ'B Ƃb̄ ƃb̄ Ƅb ƇC' ƉD̵ Ɗ'D ƌd̄ ƍg ƑF̦ ƒf ƓG'
        Ɩl Ɨl̵ ƘK' ƙk̔ ƚl̵ ƛλ̸ ƝN̦ ƞn̩ ƟO̵ Ƥ'P ƥp̔ ƦR Ƨ2 Ƭ'T ƭt̔ ƮT̨ Ƴ'Y ƴy̔ ƵZ̵ ƶz̵ Ʒ3 ƻ2̵ Ƽ5 ƽs
        ƿp ǀl ǁll ǃ! ǄDŽ ǅDž ǆdž ǇLJ ǈLj ǉlj ǊNJ ǋNj ǌnj ǍĂ ǎă Ǐl̆ ǐĭ ǑŎ ǒŏ ǓŬ ǔŭ ǙÜ̆ ǚü̆ ǢAĒ ǣaē
        ǤG̵ ǥg̵ ǦĞ ǧğ ǨK̆ ǩk̆ Ǯ3̆ ǯȝ̆ ǰj̆ ǱDZ ǲDz ǳdz ǼAÉ ǽaé ǾÓ̸ ǿó̸ ȂÂ ȃâ ȆÊ ȇê Ȉl̏ Ȋl̂ ȋî ȎÔ ȏô
        ȒR̂ ȓr̂ ȖÛ ȗû Ȝ3 ȞH̆ ȟh̆ Ȣ8 ȣ8 ȤZ̦ ȥz̦ ȨE̦ ȩe̦ ȼc̸ ȾT̸ Ɂ? ɄU̵ ɆE̸ ɇe̸ ɈJ̵ ɉj̵ ɍr̵ ɎY̵ ɏy̵
        ɑa ɓb̔ ɖd̨ ɗd̔ əǝ ɚǝ˞ ɛꞓ ɠg̔ ɡg ɣy ɦh̔ ɨi̵ ɩi ɪi ɫl̴ ɭl̨ ɮlȝ ɯw ɱrn̦ ɳn̨ ɵo̵ ɶoᴇ ɼr̩ ɽr̨
        ʂs̨ ʋu ʏy ʐz̨ ʒȝ ʔ? ʕ꟎ ʠq̔ ʣdz ʤdȝ ʥdʑ ʦts ʧtʃ ʨtɕ ʩfn̩ ʪls ʫlz ʳᣴ ʹ' ʺ'' ʻ' ʼ' ʽ' ʾ' ʿՙ ˂<
        ˃> ˄^ ˆ^ ˈ' ˊ' ˋ' ː: ˓ՙ ˗- ˘ˇ ˙ॱ ˚° ˛i ˜~ ˝'' ˡᣳ ˢᣵ ˤˁ ˮ'' ˴' ˶'' ˸: ˻˪ ͰⱵ ʹ' ͵ˏ ͶИ ͷᴎ ͺi
        ͻɔ ͽꜿ ͿJ ΄' ΆÁ ΈÉ ΉH́ Ίĺ ΌÓ ΎÝ ΐḯ ΑA ΒB ΕE ΖZ ΗH ΘO̵ Ιl ΚK ΛɅ ΜM ΝN ΟO ΡP ΣƩ ΤT ΥY ΧX Ϊl̈
        ΫŸ άá έꞓ́ ήń̩ ίí ΰǘ αa βß γy δẟ εꞓ ηn̩ θO̵ ιi κĸ νv οo ρp σo τᴛ υu φɸ ϊï ϋü όó ύú ϐß ϑO̵ ϒY
        ϓÝ ϔŸ ϕɸ ϖπ ϛς ϜF ϤЧ ϥч Ϩ2 ϩƨ Ϭ6 ϭo ϰĸ ϱp ϲc ϳj ϴO̵ ϵꞓ ϷÞ ϸp ϹC ϺM ϽƆ ϿꜾ ЀÈ ЁË ЃΓ́ ЄꞒ ЅS Іl
        Їl̈ ЈJ ЌḰ ЎY̆ АA Бb̄ ВB ГΓ ЕE З3 КK ЛɅ МM НH ОO ПΠ РP СC ТT УY ФΦ ХX Ыbl Ьb ЮlO аa б6 вʙ гr
        еe зɜ иᴎ йᴎ̆ кĸ мʍ нʜ оo пπ рp сc тᴛ уy фɸ хx шw ъˉb ыƅi ьƅ яᴙ ѐè ёë ѓŕ єꞓ ѕs іi їï јj ћh̵
        ќĸ́ ѝᴎ̀ ўy̆ џu̩ ѡw Ѣb̵ ѣb̵ ѰΨ ѱψ ѲO̵ ѳo̵ ѴV ѵv ѶV̏ ѷv̏ ѼѠ҆҇ ѽw҆҇ ҊЍ̦ ҋй̦ Ҍb̵ ҍb̵ ҐΓ' ґr'
        ҒΓ̵ ғr̵ ҖЖ̩ җж̩ Ҙ3̦ ҙɜ̦ ҚK̩ қĸ̩ ҞK̵ ҟĸ̵ ҢH̩ ңʜ̩ ҪC̦ ҫc̦ ҬT̩ ҭᴛ̩ ҮY үy ҰY̵ ұy̵ ҲX̩ һh ҽe ҾҼ̨
        ҿę Ӏl ӅɅ̦ ӆл̦ ӇH̦ ӈʜ̦ ӉH̦ ӊʜ̦ ӋҶ ӌҷ ӍM̦ ӎʍ̦ ӏl ӐĂ ӑă ӒÄ ӓä ӔAE ӕae ӖĔ ӗĕ ӘƏ әǝ ӚƏ̈ ӛǝ̈ Ӟ3̈
        ӟɜ̈ Ӡ3 ӡȝ ӣᴎ̄ ӥᴎ̈ ӦÖ ӧö ӨO̵ өo̵ ӪÖ̵ ӫö̵ ӮȲ ӯȳ ӰŸ ӱÿ ӲY̋ ӳy̋ Ӹbl̈ ӹƅï ԁd ԊǶ ԌG ԍɢ ԐƐ ԑꞓ ԛq
        ԜW ԝw Իኮ Մሆ Պጣ Ռቡ ՍU ՏS ՓΦ ՕO ՚' ՝' աw գq զq ծẟ հh ղn̩ յȷ ոn պɰ ռn սu ցg ւi քf օo ևեi ։:
        ḈĆ̦ ḉć̦ ḐD̦ ḑd̦ ḜĔ̦ ḝĕ̦ ḨH̦ ḩh̦ Ḭl̰ Ḯl̈́ ḿrń ṁrṅ ṃrṇ ṦS̆̇ ṧs̆̇ ẚả ẛḟ ẝf ẞß Ỉl̉ Ịḷ ỿy ‐- ‑-
        ‒- –- —ー ―ー ‖ll ‘' ’' ‚, ‛' “'' ”'' ‟'' •· ․. ‥.. …... ‧· ‰º/₀₀ ‱º/₀₀₀ ′' ″'' ‴''' ‵' ‶''
        ‷''' ‹< ›> ‼!! ‾ˉ ⁁/ ⁃- ⁄/ ⁇?? ⁈?! ⁉!? ⁎* ⁒º/₀ ⁓~ ⁗'''' ⁚: ⁝ⵗ ⁞ⵂ −- ∕/
        \u{305}\u{304} \u{30c}\u{306} \u{30d}\u{670} \u{310}\u{306}\u{307} \u{311}\u{302}
        \u{315}\u{313} \u{317}\u{650} \u{31a}\u{1ae9} \u{320}\u{331} \u{321}\u{326} \u{322}\u{328}
        \u{327}\u{326} \u{336}\u{335} \u{337}\u{338} \u{339}\u{326} \u{342}\u{303} \u{345}\u{328}
        \u{347}\u{333} \u{348}\u{10efa} \u{357}\u{350} \u{358}\u{307} \u{366}\u{30a} \u{36e}\u{306}
        """
}
