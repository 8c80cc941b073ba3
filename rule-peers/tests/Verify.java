import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/** Judges one signature a line, "key message signature" in hexadecimal with "-" for the empty message: 1 or 0. */
class Verify {
    /** SubjectPublicKeyInfo of RFC 8410, up to the 32 bytes of the key. */
    static final String SPKI = "302a300506032b6570032100";

    public static void main(String[] arguments) throws Exception {
        HexFormat hex = HexFormat.of();
        KeyFactory keys = KeyFactory.getInstance("Ed25519", "SunEC");
        System.err.println(keys.getProvider().getInfo() + " " + Runtime.version());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line; (line = in.readLine()) != null; ) {
            String[] parts = line.split(" ");
            byte[] message = parts[1].equals("-") ? new byte[0] : hex.parseHex(parts[1]);
            boolean accepted;
            try {
                PublicKey key = keys.generatePublic(new X509EncodedKeySpec(hex.parseHex(SPKI + parts[0])));
                Signature verifier = Signature.getInstance("Ed25519", "SunEC");
                verifier.initVerify(key);
                verifier.update(message);
                accepted = verifier.verify(hex.parseHex(parts[2]));
            } catch (GeneralSecurityException refused) {
                accepted = false;
            }
            out.append(accepted ? "1\n" : "0\n");
        }
        System.out.print(out);
    }
}
