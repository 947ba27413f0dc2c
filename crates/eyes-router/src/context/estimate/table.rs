//! The weights of the estimate, fitted to DeepSeek's tokenizer.
//!
//! A row is what came before, a column what comes. Both are classes of bytes in the order of [`class_of`]; the last
//! 29 rows are letters of a word that a space began, which is cheaper than the same letters elsewhere. The fit began
//! with how often a token of the tokenizer begins at such a pair, and was then drawn towards the counts of 1,900
//! texts of prose, code, data and 17 languages. Fixtures (`tests/fixtures/tokens`) were not among them.

/// How many classes of bytes there are.
pub(super) const CLASSES: usize = 75;
/// The first class of upper-case letters; lower-case ones are 0 to 25.
const UPPER: u8 = 26;
/// The classes of letters.
pub(super) const LETTERS: usize = 29;
/// The class of the first digit of a group of three; the other two follow.
pub(super) const DIGIT: usize = 29;
/// Bytes of marks, each a class, from the one behind space, line feed and other white space.
const MARKS: &[u8] = b"\"'(){}[]<>/\\_-.,:;=*#|!";
/// The class of a line feed, which is also what comes before a text.
pub(super) const LINE_FEED: usize = 33;
/// The class of other marks.
const OTHER_MARK: u8 = 58;
/// The class of the rest of ASCII.
const CONTROL: u8 = 59;
/// The first of four classes of bytes that go on with a character.
const CONTINUATION: u8 = 60;
/// The class of bytes that begin a Han character.
pub(super) const HAN: usize = 71;

/// Parts of a token: the unit of the weights.
pub(super) const UNITS: u64 = 6_480;
/// Width of a row of [`ROOTS`]; a power of two, so that a masked index is always within.
pub(super) const WIDTH: usize = 128;

/// The class of each byte; digits are all of the first class.
pub(super) static CLASS: [u8; 256] = classes();

/// The root of the weight of each pair: row times [`WIDTH`] plus column. Small weights are the common ones, and
/// roots keep them apart in one byte.
pub(super) static ROOTS: [u8; WIDTH * WIDTH] = roots();

/// One bit for each beginning, of two characters and more, of the 9,000 most frequent Chinese words of the
/// tokenizer, at the place that a hash gives it; made by `tests/live/tokens/oracle.py words`.
pub(super) static WORDS: &[u8; 8_192] = include_bytes!("han-words.bin");

const fn class_of(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => byte - b'a',
        b'A' | b'E' | b'I' | b'O' | b'U' => UPPER,
        b'H' | b'J' | b'K' | b'Q' | b'V'..=b'Z' => UPPER + 2,
        b'A'..=b'Z' => UPPER + 1,
        b'0'..=b'9' => DIGIT as u8,
        b' ' => 32,
        b'\n' => LINE_FEED as u8,
        b'\t' | b'\r' | 0x0b | 0x0c => 34,
        0x80..=0xbf => CONTINUATION + ((byte - 0x80) >> 4),
        0xc0..=0xc3 => 64,
        0xc4..=0xcf => 65,
        0xd0..=0xd7 => 66,
        0xd8..=0xdf => 67,
        0xe0..=0xe1 => 68,
        0xe2 => 69,
        0xe3 => 70,
        0xe4..=0xe9 => HAN as u8,
        0xea..=0xed => 72,
        0xee..=0xef => 73,
        0xf0.. => 74,
        b'$' | b'%' | b'&' | b'+' | b'?' | b'@' | b'^' | b'`' | b'~' => OTHER_MARK,
        _ => CONTROL,
    }
}

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = class_of(byte as u8);
        byte += 1;
    }
    let mut mark = 0;
    while mark < MARKS.len() {
        classes[MARKS[mark] as usize] = 35 + mark as u8;
        mark += 1;
    }
    classes
}

/// Reads the rows: each character stands for a root, from `#` for 0, without the backslash.
const fn roots() -> [u8; WIDTH * WIDTH] {
    let mut roots = [0; WIDTH * WIDTH];
    let mut row = 0;
    while row < ROWS.len() {
        let mut column = 0;
        while column < CLASSES {
            let letter = ROWS[row][column];
            roots[row * WIDTH + column] = letter - b'#' - (letter > b'\\') as u8;
            column += 1;
        }
        row += 1;
    }
    roots
}

const ROWS: [&[u8; CLASSES]; CLASSES + LETTERS] = [
    b"C)/(W/&5:<4$#$X*P(&&:'0,'9lqqu##tqptlgsHdfkitsttttsrohNcI`mt+/,+gcBNeYjRnqs",
    b"G&dZ<IdRR8K)di,l_V^N?]Z]8jmqpu##tqppnqqH`focjttsttohkdEhF^mt+/,+fYBIe[jRnqs",
    b"R_7L0Z`)I_(1O;=QXO9'NUaR5Spqqu##tspqoorKe`mkftttttrrohLfY`qt+/,+bhBRe_iRnrs",
    b"QY^<<F_iAW8YRGG]dJN3VW]C5_smpu##tsqtpssKf[qoqttttttrqs^lT`rt+/,+jkBIeakRn_s",
    b"NXA*G,=^?nB/7)`R8()(^G<&8Vssou##utststtdogtqttttttttrtUpahtt+/,+ojBNemmRnds",
    b"F_`[O,=OBWN:GNEOeFZ)MRXC6Zstpu##trqtlrsHbWhjcnttttsirbHaLakt+/,+a_BNeMjRnqs",
    b"USne8dY-FSRMb[<mb>74HW^ZD2sspu##trptqssUomojttottttqmsJka`rt+/,+kcBPegjRnrs",
    b"@elU&NQR[XOoZLAMdB]'OU_XUWpqru##trptprrHbYphprqtstsqnmKaL_rt+/,+meBIeXiRnqs",
    b"3''$.('>]A+'&((,I)&&B&P2L*pqpu##trprlgoH]^o`tsotstogiaEaIbmt+/,+bgBIgXiRnqs",
    b"GJYq)]LM`GGTpG@WdS<<VqNODRmpqu##pVpbfakH]ViUcfmqhrj]h_EaF^ht+/,+g_BIeSiRnqs",
    b"L9UfBk0GTNX]L:jbfU4;dTcIL[qqju##toptmrqH]`oafrntttsnm`IhInot+/,+meBIe]iRnqs",
    b"^ar-/-RMXWK.bMDDcf5;AYUZ-`prru##ttqtqssHgZqmstrtttsqplGr_cqt+/,+meBIeMkRnrs",
    b"H:kX8W?jLe]N>YIARX??VVaPNdnqou##ttptmqrHdcngttststrqscEfLapu+/,+piBIehtRnrs",
    b"7h8(;F'M`q1SeAKZei>/YLS>=cssru##usptsssIp`rnttttttttqnPr[dtt+/,+dWBSejjRnes",
    b"<8.)]B,@JW*#(&4.['-)&J(#28omqu##tpprnkrH^_pfitotttskliEdLbot+/,+eZBIgfjRnqs",
    b"KZYJ8g_;UNo3JW?5S>1+;b_'Ieqqnt##toprnsqH]^ljsrotttqsqiCd``ot+/,+m^BNeXiRnks",
    b"OQC[QKTCLWT)JTQGROU@*AVBTHmnqu##qdplgclH]VhUainrirnXjsCaFoht+/,+`_BIeTjRnqs",
    b":^:E(T2a<Z7e88,ja>67G6bN'cosru##trqtsttgolqpqtqtttttsmTnXert+/,+meBRejiRnns",
    b"Mp;g;QS1IUXbehNNq23(OLXYYQqrpu##usptsstNkpspmtsttuttqrhpTftt+/,+emBIefjRnqs",
    b"NrYQ:ar/@Z`WCkN4aOI.C^M<*Frsqu##utrtstt]rjsqttttttttsrXk`ntt+/,+hiBNebjRnis",
    b"B+A*1*/EEB8('(Q3^'##AHL*?:mqqt##tqppp`mb]ZibhsmsqtpfidEaF^mt+/,+gbBNeUiRnqs",
    b"BVZH.S4M=YMQ7Y<X]^O:WIRZ<bkpqu##tjpqkjnP^cjhtsrtrtppihEcM_kt+/,+VbBIeTiRnqs",
    b"eKZA@Q>::VIXJ*3RaO?R[['XC_prqu##thpqkrnHa[j]cpmtrtpdjcEfIikt+/,+a^BIeUjRnqs",
    b"H__XGVIiRJI_UPVWakh2TKW@.jpnpt##tlptjpqQb[obfsntttqktmLfF^mt+/,+i^BIe[iRnqs",
    b"bVT@6XiaTOM53,G0_N,5e[UTCaerpu##ttptorsaj^phpsqtstsrllTjXbqt+/,+jbBIebiRnqs",
    b"@MbQ7VJ3;PFZSQXReVL>ULII1Nlqqu##tspii`mH]WkbfoososoWi`CaF^et+/,+a^HIe^iRnqs",
    b"X@V2gBNW[aY;?*cFc355F?b@b[^1au##tmssrmsH_ZnenqrtttqqlkPaK_pt+/,+f`BIe`lRnrs",
    b"Neej9ni7RcnIe]LbpDaGUnikHiQ`iu##ttttrqtOlkrnpsttttssqqUcVhst+/,+nmBNkemRnss",
    b"ZnniInaJHlmeb`Gko[MeSmjl_jbgnu##tksskeqHeXsjiqqtsspsmiHaKbpt+/,+i`BIiWjRnrs",
    b"ttttttkmnmllrnksnlonpmmrmmtttt##ttstsntKsetortttuttttf^dPatt+/,+r^BIekpRoss",
    b"ttttttbWba_WsaMo`]nXr[X_T^rtst##tustpotIsWtnktttututt__aQatt+/,+k^BNebkRnss",
    b"ttttttE?[RJAF;D]W>L@TKKQBToqst##tsptkhsHoXticrottttqs`CbF^ot+/,+i^BIeakRnrs",
    b"#$#*&&(%#,'&$&#'-###+'#)%-(+(t##?*s.0)>(,'6+1+33-2X+A((,#.#u+/,+72%%a+bRc0g",
    b"tsttssotsmkrrsrtfrsssrp_dftttu##v:usprqrttstnttsttklohptsfuu+/,+rloqentRqts",
    b"jYkTF=]_UK@AK5e`V8MVmAZPILmqou##ct`skroJsbgtcsnttreVmauqS^kt+/,+`^BIeSiRnqs",
    b"tttttppttehtssstgtttsttttjstsu##t)t7kX9`0Q;c+=h]@E##BaUBFaMu+/,+deBIeZkRnfs",
    b"fin`ZigdcOMKLgbiZUPC`=aKTbmnet##t3p`XYGFfbBdfSLZZO:LOb_^Z_at+/,+jbBIeVkRnqs",
    b"mfa[kZlniUZ_`Zedb_T_fZkT^Zjjmu##q2p,7J*;]GgHlL][WXfSh`P`<@It+/,+[cileKmRnqs",
    b"TMSAbFTC_K<]<4PBUC90ABPQ;IYY]t##t%rRoO:I^RG`bWLoU.+0,_HaA_Yu+/,+i^BLeXHRnWs",
    b"[lfXW[GJVLQR]iO]U[o^HcW>9Jqocu##t(s#X_gALXgUac_qhheUh_HaI_it+/,+`^BIeSiRnqs",
    b"ALDK7F9<IK<7<56BU=83ABD>9IWP]t##t(r^gjI'0VLU_XVqXa#T:^CaD^et+/,+b^BIeSiRnqs",
    b"ejoeglSmIHMX7`lnUihjlJbQ;Uqmgt##t4p.?Ugm]B.daahaV[`DsbF`Fn[t+/,+`_BIeQiRnqs",
    b"EgEA7F9<JK<:956DU=W3ABDC9IZU_t##t(p_l2RFt6<ZY]aldM,3@_U`b^it+/,+`^BIeSgRnos",
    b"rbtsq`_gsf`rkqChWcqlf]SBCQmfct##sPqbMegU]Zg?b*ljOqe]hDCaPAct+/,+`^BIeSiRnDs",
    b"lhijcgcgeROehdRkVdoT_[PLHRopou##t+qelT_HkYn)CmjsTi>]WCKmO^Ot+/,+g`WNednRoqs",
    b"pWnbmMcV^+TG6OgKSiOYlWk1bgZbKt##t,qbgYaS]Zkd1,kVbOOLja7YLmYt+/,+f^MIebjRnrs",
    b"F[R]ht>I>KDDLfCOWRe55JGI9Ibd`t##o1pRl@`NaVcUaTHpaYRVd_ZbH`ot+/,+`^BIeTiRnqs",
    b"ZTQDBAV^QTAIMHNKZXKEgNIA;YXEMu##rHp^kHnG_Th[lel4eYL`h`TaK^_t+/,+`^BIeXiRnqs",
    b"V7D@VK9[LF>FNQJLgZHKdaIBD^eRTu##uDpqc_gKdYkd4jQp1qcYfWlaM^cu+/,+eefhqdkSqrt",
    b"ZACDJA9:E:S?II@EaS>JeRH4E]U/Dt##u(s6_ZQU]Tp>b=I9d3EkhcG<F^ft+/,+t`VNeTjRnps",
    b"gTeckfbldUJjbcij[ciRgaj>WRnlet##t,s#eNiL_YhYad_qgkeVh_EbF^_t+/,+d^BIe[iRnqs",
    b"t^pZ_sOA`[>rin^eW]lr]boC@Xrsnt##u*r#h_e&^&iXb)YqTkg0h1IRG_at+/,+`^BIeVIRnqs",
    b"=XEE7F>O@K<Co59EZCX:CBD>9IZX]u##t'tci`eH^VgGaZ`qfqdVadC`F^Vt+/,+`^BIeWiRnqs",
    b"dGeYR]SLZKRVgaZeag``TP^<VLcedt##uEq(O_jD]Pi[496o]ng`h3CaG_Ct+/,+`^BIeSiRnqs",
    b"YSgW`[LXRLLGk_NaUMhFIHIB>Iaoit##u/tpoUfHVXicb=nsSYNble#aI`jt+/,+`^BIeTjRnqs",
    b"gglD^n^dcQFhb`Qe`dnc_M[FGRdndu##t6qegaiH]2gTapqqiqeXh_H/Fa_t+/,+`^BIeUiRnqs",
    b"]daOVONHHKBGDD:cUV]DDTUC9Ibe^t##t*p[hfgM^VgTeejseqeYh[Ca.^it+/,+`^BIeViRnqs",
    b"SO]U:YB@^KGBHTUWWX_cMLI>9I`c_t##t6pKgIcH]9hSaMgqEqeVh0GaF=jt+/,+`^BIeQjRnqs",
    b"n]qsqk^kM_Vqplessrornrd_WWppmu##t4qipV[`oprRfmRoT]@J]JclE`@t+/,+b^BNe]hRnqs",
    b"FMGC<F9<>K?7956BU=87EBDB9IYP]t##kOp[f_gH]tgTacmqgqeVh_CaF^^t+/,+`^BIeSiRnqs",
    b"[NY`LQXE[KXbXCFaYRMZ^NWDHPnqou##tFpdhYmH]Wgfgjnqqtqin_FaF_hu<#*-kQASlGYRoft",
    b"kc[a_j[`aPZheUW`WgnBhOKH9Tiqkt##tDp]fcXH]Vgf<lqqqOI]h_KcM^ft*WWoodXeaQURnit",
    b"VaFMWaKnQKNML>?XZC;MOQG@>^psou##uipjf_oH]Vgdaemqqtmnp_CaF^bt^][_RmdJleaRqst",
    b"SU_I4YN@8Mb^RV4BUZMC>RA[[eWk]t##tgpaf_nH]Vgaaemqrrrgm_EaF^at##AFlVDTRrQRmst",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t'*,/`^BIeSiRnqs",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t-*.+`^BIeSiRnqs",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t%+5$`^BIeSiRnqs",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t&/%&`^BIeSiRnqs",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t=MI'`^BIeSiRnqs",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t##,W`^BIeSiRnqs",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t'3,+`^BIeSiRnqs",
    b"NROUCOFESK>HEGFIVFTPMLIR>Jhplt##ttptkqsH]Ykqekrqkttso`FbFlnu+/,0s^BIestRnts",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t.@V)`^BIeSiRnqs",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t13A#`^BIeSiRnqs",
    b"AMEA7F9<>K<7956BU=83ABD>9IWP]t##kOp[f_gH]VgTacmqgqeVh_CaF^^t+]J+`^BIeSiRnqs",
    b"U'-'d/#B.<)#'#L)i('#5(,,):^mfu##uqplkipJ^ggZafpsstsmnhKaFcht+/,+`iBIfXjRnqs",
    b"6Ulg*`leB9E*Ya1gU5KD8iZc)cflqt##tcpgmooH]WiTahnsrtnfiaEaN^^t+/,+jgHIeSiRnqs",
    b"1D*=#;B+:S&&:Z(NG9@#7XP@'Q[ldu##tnpilooH]ZglbmmtrtplpnFaFjet+/,+QgBI[SiRnqs",
    b"EGU,5L>I.@VH5V77]:2A;>B=1fnrct##ttpqsqsO_dladqqttttsttQaNglt+/,+SkHI_ajRnqs",
    b"0c+#07/GS/H&/(B0+&))P/5&9]fsqu##ttqtstt]plrneqsttutttsPcQmqt+/,+jmHIeklRnqs",
    b"4KZN1)JD3K<9<B(EU1C#5CX=+Q^ccu##trpcigoH_[g]bfnsstroitEaF`at+/,+OcBIeSiRnqs",
    b"BM_f0`A)4L>9M-7eU2,8EEJB0ejjiu##trpslmrHanmejnptsttssmGaMflt+/,+kdBPkajRnqs",
    b",Sdc#Q?J,KVO@C*HZ8J->LU>2_`kau##trpmlnqH]`j[aentrtssorCaFdht+/,+]fBI`]kRnqs",
    b"0&#%1#':QI+%&##<:(##:&Q1R)^gfu##topdhfmH]WgVafmsrtolk_GaF_jt+/,+N[BIgSiRnqs",
    b"IMZU'K9<QK<ERN;a[E/:6JDB9IWT]t##qVpogaiH]VhTacmqmqfVh_CaF^_t+/,+bSBIeSiRnqs",
    b"67Pg<N.6?K<ON/Vh^Z1@]ZN>=Zimat##tpplkooHfYkbaeptrtsmqcIaFfet+/,+UhVaiciRoqs",
    b"5[l./)Mb@KG(]A-:H6724Q6U#anqmt##tspssqsHkdiidkotsttssoGaFflt+/,+hjBIbZjRors",
    b"8/i`.W4Z=K5N2H75`V-I5QH;*Inofu##uppmngqH^Yi`bintrttnpaCaFcit+/,+SjBI[`iRnqs",
    b"Fg##4C#IOV58D4.;bW&&@.PL)Vormu##ttpstrsH^`logqqttttttnLaFoot+/,+dlYPilmRnrs",
    b"4.-#5#'H2L,-'#1*`#(##&%+*Gdljt##usphklqH]^iVbeptrttmqeEaWdit+/,+_gBIjYiRnqs",
    b"9_[<1[A3@Lr%Di4(`$8&2]b8;jqkjt##tmpihlpN_biehfotrtrrofIaF`ft+/,+ZWBNeSjRnqs",
    b"CMHAZFB<>K<1959BU<=?(BD>9IYT]t##oQp^f_mH]XgTadmsgrnWh`CaF^^t+/,+`_BIeSiRnqs",
    b">Q18#A5Y-W,E./#FD#/1@3G=$_nspu##ttqssstIhoheltqtttttthKfIhlt+/,+`iBPhdjRnqs",
    b"5`Ag#GO13K=LE627Xq')1H@P?Imoju##ttqtrrtKbopnbsrttttustSaFnpt+/,+egBNmjjRnrs",
    b"?nCJ5fd##KeDX]&A^B2+9_*D)Vnsgt##ttpssstacklmcsqttttstrNaMopt+/,+^gBNYnjRnrs",
    b"4-5)7;1QDJ?('(F/X(&#AB@)M?Yh^u##tlpdrbjH]VgTafmqssrbj_JaFbgt+/,+kmBInUiRnqs",
    b":JdI#]iT2KBCOZ/SWUECHDD@?RZg^u##scp_gflH]]jTafmsptkmiaEbF_`t+/,+SPBI_SiRnqs",
    b"+DTN-PZ&&K?J<'&JU5,EQD3F@Vdi`t##tmppkimH]ahUaeosqtrjiaEaFect+/,+a`BIeSiRnqs",
    b";O2T8g9?HLAf8?C8UL>'LEK@,Vgh`t##tepdjioH]WhXadmsstqnmcCaF^_t+/,+j^HIg`kRnqs",
    b"gIMR7O]S4YV<*5*.UC(2XN?A@Jkkdt##tspsqlsH^lkjeqqtrttssqKaFgnt+/,+kaBPgajRnqs",
    b"KW]E2J?:OQ>cUEMPWMJ>JRWEBIbb_t##s_pak_hK]VgTaomtlsl]h_EaF^_t+/,+h_BIeSiRnqs",
    b"=2:*G)1GIL2/.'Z+A3.(03B-DLT#Nt##tqp`rgqH^Vh[hnotstrrieEaFkdt+/,+d^BNeSjRnrs",
    b"NS9Z1LI%:TA8=Q6BGAW7AB?>2PPQHu##trqopkrO^_mmispttttrokKaFqqt+/,+ijBXjemRnrs",
    b"BQHE3Z=-9K<A@F2UU<J<AKVH?HNUbt##tlpbkblH]VgZiemtptpflbEaFfkt+/,+agBNkUjRnqs",
];
