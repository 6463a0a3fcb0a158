import { emailDomain } from '../values/fields.ts';

/*
 * Providers at which anybody can have a mailbox. Such a domain says nothing about a company, so
 * registering with it claims nothing. A provider that is missing here lets its first user lock the others out. A
 * company's own domain that is listed by mistake only stays unclaimed. When in doubt, list it.
 */

/** Brands that run one name under many country endings. */
const brands: Readonly<Record<string, string>> = {
  gmx: 'at ch co.uk com com.tr de es eu fr info it net org pt us',
  hotmail:
    'at be ca ch cl co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com com.ar com.au ' +
    'com.br com.hk com.mx com.tr com.tw cz de dk es fi fr gr hu it jp lt lv my net nl no ph rs se ' +
    'sg sk',
  live:
    'at be ca ch cl cn co.kr co.uk co.za com com.ar com.au com.mx com.my com.ph com.pt com.sg de ' +
    'dk fi fr hk ie in it jp nl no ru se',
  outlook:
    'at be cl co.id co.il co.nz co.th com com.ar com.au com.br com.gr com.tr com.vn cz de dk es fr ' +
    'hu ie in it jp kr lv my ph pt sa sg sk',
  yahoo:
    'at be bg ca cl cn co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com com.ar com.au ' +
    'com.br com.cn com.co com.hk com.mx com.my com.pe com.ph com.sg com.tr com.tw com.ua com.ve ' +
    'com.vn cz de dk ee es fi fr gr hr hu ie in it lt lv nl no pl pt ro rs ru se si sk',
  yandex: 'az by co.il com com.am com.ge com.tr ee fr kg kz lt lv md net org ru tj tm ua uz',
  zohomail: 'ae ca com com.au com.cn eu in jp sa uk',
};

/** Single domains, by where most of their users are. */
const domains = {
  worldwide:
    'aim.com aol.at aol.be aol.ch aol.cl aol.co.nz aol.co.uk aol.com aol.com.ar aol.com.au ' +
    'aol.com.br aol.com.mx aol.cz aol.de aol.dk aol.es aol.fi aol.fr aol.in aol.it aol.jp aol.kr ' +
    'aol.nl aol.pl aol.ru aol.se fastmail.com fastmail.fm gmail.com googlemail.com icloud.com ' +
    'mac.com mail.com me.com msn.com myyahoo.com passport.com rocketmail.com windowslive.com ' +
    'yahoomail.com ymail.com zoho.com zoho.eu zoho.in',
  // mail.com lets its users choose among these and more.
  mailCom:
    'accountant.com activist.com adexec.com asia.com berlin.com bikerider.com birdlover.com ' +
    'catlover.com cheerful.com chef.net clerk.com collector.org columnist.com comic.com ' +
    'computer4u.com consultant.com contractor.net coolsite.net counsellor.com cyberservices.com ' +
    'deliveryman.com diplomats.com disciples.com doctor.com doglover.com dr.com dublin.com ' +
    'email.com engineer.com europe.com execs.com financier.com fireman.net gardener.com geologist.com ' +
    'graduate.org graphic-designer.com hackermail.com hairdresser.net homemail.com hot-shot.com ' +
    'iname.com innocent.com inorbit.com instructor.net job4u.com journalist.com keromail.com ' +
    'lawyer.com linuxmail.org london.com madrid.com minister.com moscowmail.com musician.org ' +
    'myself.com null.net optician.com paris.com photographer.net physicist.net planetmail.com ' +
    'planetmail.net politician.com post.com presidency.com priest.com programmer.net publicist.com ' +
    'realtyagent.com registerednurses.com repairman.com representative.com rescueteam.com ' +
    'revenue.com rocketship.com rome.com salesperson.net scientist.com secretary.net socialworker.net ' +
    'sociologist.com solution4u.com songwriter.net teachers.org tech-center.com techie.com ' +
    'technologist.com therapist.net toke.com tokyo.com tvstar.com umpire.com usa.com uymail.com ' +
    'workmail.com writeme.com',
  privacy:
    'countermail.com cock.li ctemplar.com disroot.org hushmail.com hush.com inbox.com keemail.me ' +
    'mailbox.org mailfence.com mail2world.com migadu.com pm.me posteo.at posteo.de posteo.eu ' +
    'posteo.net proton.me protonmail.ch protonmail.com riseup.net runbox.com startmail.com ' +
    'systemli.org tuta.com tuta.io tutamail.com tutanota.com tutanota.de',
  relays:
    '33mail.com anonaddy.com anonaddy.me duck.com mozmail.com passinbox.com passmail.net ' +
    'privaterelay.appleid.com relay.firefox.com simplelogin.com simplelogin.fr simplelogin.io ' +
    'slmail.me',
  throwAway:
    '10minutemail.com dispostable.com fakeinbox.com getnada.com grr.la guerrillamail.biz ' +
    'guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org ' +
    'guerrillamailblock.com mailcatch.com maildrop.cc mailinator.com mailinator.net mailnesia.com ' +
    'mintemail.com moakt.com mohmal.com mytemp.email nada.email sharklasers.com spamgourmet.com ' +
    'temp-mail.io temp-mail.org tempmail.com tempmail.net tempr.email throwawaymail.com ' +
    'trashmail.com trashmail.de trashmail.net yopmail.com yopmail.fr yopmail.net',
  northAmerica:
    'ameritech.net att.net bell.net bellsouth.net bigfoot.com cableone.net centurylink.net ' +
    'centurytel.net charter.net comcast.net cox.net earthlink.net embarqmail.com excite.com ' +
    'flash.net frontier.com frontiernet.net juno.com lycos.com mindspring.com netscape.net netzero.com ' +
    'netzero.net nvbell.net optimum.net optonline.net pacbell.net peoplepc.com prodigy.net ' +
    'prodigy.net.mx q.com roadrunner.com rogers.com rr.com sasktel.net sbcglobal.net shaw.ca ' +
    'snet.net spectrum.net suddenlink.net swbell.net sympatico.ca telus.net twc.com verizon.net ' +
    'videotron.ca wildblue.net windstream.net',
  latinAmerica:
    'arnet.com.ar bol.com.br ciudad.com.ar fibertel.com.ar globo.com globomail.com ig.com.br ' +
    'itelgua.com oi.com.br pop.com.br r7.com speedy.com.ar superig.com.br terra.cl terra.com ' +
    'terra.com.br uol.com.ar uol.com.br zipmail.com.br',
  unitedKingdomAndIreland:
    'blueyonder.co.uk btinternet.com btopenworld.com eircom.net freeserve.co.uk iol.ie mail.co.uk ' +
    'ntlworld.com o2.co.uk orange.net plus.com plusnet.com sky.com talk21.com talktalk.co.uk ' +
    'talktalk.net tesco.net tiscali.co.uk virgin.net virginmedia.com vodafone.ie wanadoo.co.uk',
  germanLanguage:
    'a1.net aon.at arcor.de bluewin.ch chello.at email.de emailn.de firemail.de freenet.de gmx-topmail.de ' +
    'hispeed.ch inode.at kabelbw.de kabelmail.de liwest.at magenta.de mail.de mailde.de netcologne.de ' +
    'o2mail.de o2online.de online.de sunrise.ch swissonline.ch t-online.at t-online.de unitybox.de ' +
    'utanet.at vodafone.de vodafonemail.de web.de',
  france:
    'aliceadsl.fr bbox.fr cegetel.net club-internet.fr dartybox.com free.fr laposte.net libertysurf.fr ' +
    'neuf.fr noos.fr numericable.fr orange.fr sfr.fr voila.fr wanadoo.fr',
  iberia:
    'clix.pt iol.pt movistar.es netcabo.pt ono.com orange.es portugalmail.pt sapo.pt telefonica.net ' +
    'terra.es vodafone.pt ya.com',
  italy:
    'alice.it aruba.it blu.it email.it fastwebnet.it inwind.it iol.it libero.it ' +
    'pec.it poste.it teletu.it tim.it tin.it tiscali.it tiscalinet.it virgilio.it vodafone.it',
  lowCountries:
    'casema.nl chello.nl hetnet.nl home.nl kpnmail.nl kpnplanet.nl onsnet.nu planet.nl pt.lu quicknet.nl ' +
    'scarlet.be skynet.be solcon.nl telenet.be telfort.nl tele2.nl upcmail.nl voo.be xs4all.nl ' +
    'zeelandnet.nl ziggo.nl zonnet.nl',
  nordics:
    'bredband.net broadpark.no chello.no chello.se comhem.se elisanet.fi frisurf.no glocalnet.net ' +
    'home.se jubii.dk kolumbus.fi luukku.com mail.dk mail.ee ofir.dk online.no pp.inet.fi saunalahti.fi ' +
    'simnet.is spray.se stofanet.dk suomi24.fi swipnet.se tele2.se telia.com tdcadsl.dk webspeed.dk',
  centralAndSouthEasternEurope:
    'abv.bg atlas.cz atlas.sk azet.sk centrum.cz centrum.sk citromail.hu dir.bg email.cz email.si ' +
    'forthnet.gr freemail.gr freemail.hu gazeta.pl go2.pl hotmail.com.gr in.gr indamail.hu inmail.sk ' +
    'interia.eu interia.pl mail.bg mail.gr mailbox.hu net.hr o2.pl onet.eu onet.pl op.pl otenet.gr ' +
    'cytanet.com.cy poczta.fm poczta.onet.pl post.cz post.sk posta.hr pobox.sk seznam.cz ' +
    'siol.net spoko.pl t-online.hu tlen.pl upcmail.hu vip.hr vipmail.hu volny.cz vp.pl wp.pl ' +
    'zoznam.sk inet.hr inbox.lv inbox.lt one.lv one.lt takas.lt delfi.lt',
  easternEuropeAndCentralAsia:
    'bigmir.net bk.ru email.ua i.ua ich.ru inbox.ru internet.ru lenta.ru list.ru mail.by mail.kz ' +
    'mail.ru mail.ua meta.ua myrambler.ru narod.ru pochta.ru qip.ru rambler.ru rambler.ua ro.ru ' +
    'tut.by ua.fm ukr.net umail.uz vk.com xmail.ru ya.ru',
  middleEastAndAfrica:
    'afrihost.co.za bezeqint.net emirates.net.ae gawab.com iafrica.com maktoob.com mweb.co.za ' +
    'mynet.com netvision.net.il superonline.com telkomsa.net ttmail.com ttnet.net.tr vodamail.co.za ' +
    'walla.co.il walla.com webmail.co.za yebo.co.za zahav.net.il',
  southAsia: 'indiatimes.com in.com rediff.com rediffmail.com sify.com vsnl.com vsnl.net',
  eastAsia:
    '126.com 139.com 163.com 163.net 188.com 189.cn 21cn.com 263.net aliyun.com chinaren.com ' +
    'docomo.ne.jp eyou.com ezweb.ne.jp daum.net foxmail.com goo.jp hanmail.net hanmir.com i.softbank.jp ' +
    'korea.com kakao.com nate.com naver.com netvigator.com nifty.com ocn.ne.jp paran.com pchome.com.tw ' +
    'qq.com seed.net.tw sina.cn sina.com sina.com.cn softbank.ne.jp sogou.com sohu.com tom.com ' +
    'vip.163.com vip.qq.com vip.sina.com wo.cn yeah.net',
  southEastAsiaAndOceania:
    'bigpond.com bigpond.net.au dodo.com.au iinet.net.au internode.on.net optusnet.com.au ozemail.com.au ' +
    'pacific.net.sg plasa.com singnet.com.sg slingshot.co.nz starhub.net.sg streamyx.com tpg.com.au ' +
    'westnet.com.au xtra.co.nz',
  // RFC 2606 reserves these for documentation: nobody can own them, and whoever follows the
  // examples must be able to register more than once.
  reserved: 'example.com example.net example.org',
} as const;

/** Every domain that claims nothing, in lower case. */
export const freeMailDomains: ReadonlySet<string> = new Set([
  ...Object.values(domains).flatMap((list) => list.split(' ')),
  ...Object.entries(brands).flatMap(([name, endings]) =>
    endings.split(' ').map((ending) => `${name}.${ending}`),
  ),
]);

/**
 * The company domain that an e-mail address stands for, in lower-case ASCII, so that `BÜCHER.de`
 * and `xn--bcher-kva.de` are one; null for free mail and for what is no address.
 */
export function corporateDomain(email: string): string | null {
  if (!email.includes('@')) return null;
  const domain = emailDomain(email.trim());
  return domain === null || freeMailDomains.has(domain) ? null : domain;
}
