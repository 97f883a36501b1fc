import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

/** A picture as bytes, row by row, the bands of a pixel side by side. */
record Picture(int width, int height, int bands, byte[] values) {
  private static final long MOST_VALUES = 1 << 26;

  static Picture read(Path file, int ranks) throws BadInput, IOException {
    if (!Files.isRegularFile(file)) {
      throw new BadInput("there is no picture '" + file + "'; name a PNG or PGM file");
    }
    byte[] bytes = Files.readAllBytes(file);
    boolean pgm = bytes.length > 2 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '5');
    Picture picture;
    try {
      picture = pgm ? new Pgm(bytes).read() : decode(bytes);
    } catch (BadInput | IOException | RuntimeException e) { // decoders throw what they like
      String why = e instanceof BufferUnderflowException ? "it ends too early" : e.getMessage();
      throw new BadInput("'" + file + "' is not a picture in PNG or PGM: " + why);
    }
    if (ranks > picture.height) {
      throw new BadInput(
          "%d ranks are more than the %d rows of '%s'; start fewer"
              .formatted(ranks, picture.height, file));
    }
    return picture;
  }

  static void check(long width, long height, int bands) throws BadInput {
    if (width < 1 || height < 1 || width > MOST_VALUES / bands / height) {
      throw new BadInput(
          "it is %d x %d pixels; 1 to %d are allowed"
              .formatted(width, height, MOST_VALUES / bands));
    }
  }

  private static Picture decode(byte[] bytes) throws BadInput, IOException {
    try (ImageInputStream in = ImageIO.createImageInputStream(new ByteArrayInputStream(bytes))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        throw new BadInput("its first bytes are those of neither");
      }
      ImageReader reader = readers.next();
      reader.setInput(in);
      check(reader.getWidth(0), reader.getHeight(0), 4);
      return of(reader.read(0));
    }
  }

  private static Picture of(BufferedImage image) {
    ColorModel model = image.getColorModel();
    boolean grey = model.getNumComponents() == 1 && !(model instanceof IndexColorModel);
    int bands = grey ? 1 : model.hasAlpha() ? 4 : 3;
    int shift = Math.max(0, model.getComponentSize(0) - 8);
    ByteBuffer values = ByteBuffer.allocate(image.getWidth() * image.getHeight() * bands);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        // getRGB would bend the scale of grey
        int pixel = grey ? image.getRaster().getSample(x, y, 0) >> shift : image.getRGB(x, y);
        for (int band = bands - 1; band >= 0; band--) {
          values.put((byte) (pixel >> 8 * band));
        }
      }
    }
    return new Picture(image.getWidth(), image.getHeight(), bands, values.array());
  }

  byte[] png() throws IOException {
    int type =
        switch (bands) {
          case 1 -> BufferedImage.TYPE_BYTE_GRAY;
          case 3 -> BufferedImage.TYPE_INT_RGB;
          default -> BufferedImage.TYPE_INT_ARGB;
        };
    BufferedImage image = new BufferedImage(width, height, type);
    for (int i = 0; i < width * height; i++) {
      int pixel = 0;
      for (int band = 0; band < bands; band++) {
        pixel = pixel << 8 | values[i * bands + band] & 0xff;
      }
      Object element = bands == 1 ? new byte[] {(byte) pixel} : new int[] {pixel};
      image.getRaster().setDataElements(i % width, i / width, element);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.setUseCache(false);
    ImageIO.write(image, "png", out);
    return out.toByteArray();
  }
}
