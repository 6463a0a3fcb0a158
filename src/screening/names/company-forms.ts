/*
 * Legal forms of companies, by what they have in common. A form is a whole word or several, never the end of a word:
 * s.r.o. and a.s. are different, and Tomas is not Tom. Spellings are those of registers and of common use.
 */
const forms: Readonly<Record<string, string>> = {
  stock:
    'plc;public limited company;public ltd co;public limited;jsc;joint stock company;joint stock co;open joint stock company;public joint stock company;closed joint stock company;ojsc;pjsc;cjsc;zao;oao;pao;ao;aozt;aktsionernoe obshchestvo;aktsionernoye obshchestvo;otkrytoe aktsionernoe obshchestvo;publichnoe aktsionernoe obshchestvo;zakrytoe aktsionernoe obshchestvo;pat;vat;at;ag;aktiengesellschaft;sa;s a;societe anonyme;sociedad anonima;sociedade anonima;societate pe actiuni;spa;s p a;societa per azioni;nv;n v;naamloze vennootschap;as;a s;asa;aksjeselskap;allmennaksjeselskap;aktieselskab;aktiebolag;ab;publ;oyj;osakeyhtio;julkinen osakeyhtio;se;societas europaea;dd;d d;ad;a d;akcionarsko drustvo;dionicko drustvo;akciova spolecnost;nyrt;zrt;tbk;kk;kabushiki kaisha;kabushikigaisha;sae;s a e;sal;s a l;saog;qsc;sab;sab de cv;sa de cv;s a de c v;sha;sh a;shoqeri aksionere;inc;incorporated;corp;corporation;berhad;bhd;anonim sirketi',
  limited:
    'llc;l l c;mbh;limited liability company;limited liability co;ltd;ltda;limited;limited company;private limited;private limited company;pvt ltd;pvt limited;pte ltd;pte limited;pte;pty ltd;pty limited;pty;co ltd;co limited;company limited;company ltd;gmbh;gesellschaft mit beschrankter haftung;ooo;o o o;too;tov;obshchestvo s ogranichennoi otvetstvennostyu;obshchestvo s ogranichennoy otvetstvennostyu;obschestvo s ogranichennoi otvetstvennostiu;srl;s r l;societa a responsabilita limitata;societatea cu raspundere limitata;societate cu raspundere limitata;sociedad de responsabilidad limitada;sarl;s a r l;societe a responsabilite limitee;societe a responsabilite limite;eurl;sas;s a s;societe par actions simplifiee;bv;b v;besloten vennootschap;sl;s l;sociedad limitada;limitada;sp z oo;sp zoo;sp z o o;spolka z ograniczona odpowiedzialnoscia;spolka z oo;sro;s r o;spol s r o;spol s ro;s ro;spol sro;spolecnost s rucenim omezenym;doo;d o o;drustvo s ogranicenom odgovornoscu;ood;eood;kft;korlatolt felelossegu tarsasag;aps;anpartsselskab;oy;osuuskunta;uab;uzdaroji akcine bendrove;sia;sabiedriba ar ierobezotu atbildibu;ou;osauhing;lda;sdn bhd;sendirian berhad;fze;fzco;fz llc;fzc;free zone establishment;free zone company;dmcc;wll;w l l;limited sirketi;limited sti;ltd sti;sti;mchj;mmc;shpk;yk;gk;godo kaisha;yugen gaisha;s de rl;s de rl de cv;s de r l de c v;eirl;unlimited',
  partnership:
    'lp;l p;llp;l l p;mbh and co kg;mbh co kg;limited partnership;limited liability partnership;general partnership;kg;kommanditgesellschaft;gmbh co kg;gmbh and co kg;gmbh u co kg;ag co kg;ohg;offene handelsgesellschaft;gbr;gp;scs;sca;snc;s n c;cv;c v;vof;ks;ky;komandytowa;spolka komandytowa;spolka jawna;sp k;sp j;kda;kd',
  cooperative: 'eg;cooperative;coop;co op;cooperativa;genossenschaft;sce',
  state:
    'soe;fgup;federal state unitary enterprise;federalnoe gosudarstvennoe unitarnoe predpriyatie;state unitary enterprise;gup;mup;unitary enterprise;state owned enterprise;goup',
  foundation:
    'foundation;stiftung;fundacion;fondation;fundacja;stichting;trust;ngo;nonprofit;non profit organization;ev;e v;eingetragener verein;ano;autonomous nonprofit organization;autonomous non profit organization;waqf;charity',
  proprietor: 'sp;sole proprietorship;sole trader;ip;individualnyy predprinimatel;fop;ek;e k;dba',
};

/** The longest form has so many words. */
export const longestForm = 7;

/** Each spelling, its words with one blank between them, with what it has in common with others. */
export const formOfPhrase: ReadonlyMap<string, string> = new Map(
  Object.entries(forms).flatMap(([form, phrases]) =>
    phrases.split(';').map((phrase): [string, string] => [phrase, form]),
  ),
);

/** The words with which a form begins: most words of a name begin none. */
export const beginsForm: ReadonlySet<string> = new Set(
  [...formOfPhrase.keys()].map((phrase) => phrase.split(' ')[0] ?? phrase),
);
